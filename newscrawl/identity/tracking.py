"""Query parameters that say how a reader came to a page and do not choose the page. The table is ordered by who sets
them.

Sources, read in November 2026: Brave's query filter (brave-core, components/query_filter/utils.cc), the global rules of
ClearURLs (ClearURLs/Rules, data.min.json), Firefox's strip-on-share list, and the vendors' own documentation of their
campaign parameters (Google Analytics, Matomo, Piano/AT Internet, Webtrekk, Mapp, Marketo, HubSpot, Mailchimp, Adobe).
Left out on purpose, because they choose the article on some news sites: `ref`, `source`, `id`, `s`, `p`, `si`, `cid`,
`page`, `mc`, `feature`, `feed` (`?feed=rss2` is a feed's address).
"""

from __future__ import annotations

from typing import Final

TRACKING_PARAMETERS: Final = frozenset(
    # click identifiers of advertising networks and social networks
    "fbclid gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid msclkid yclid ymclid ysclid twclid "
    "ttclid li_fat_id igsh igshid rdt_cid rb_clickid irclickid epik sccid wickedid wickedsource unicorn_click_id dicbo "
    "obclid obOrigUrl tblci tb_click_id vmcid "
    # Facebook, Twitter
    "fb_action_ids fb_action_types fb_source fb_ref fb_comment_id action_object_map action_type_map action_ref_map "
    "mibextid __twitter_impression ref_src ref_url "
    # Google Analytics, AMP
    "_ga _gl _gac _gid gs_l usqp amp_js_v amp_gsa "
    # Matomo (pk_, mtm_, matomo_ are prefixes below), Piano/AT Internet, Webtrekk, Adobe, Yandex, Echobox
    "at_medium at_campaign at_campaign_type at_custom1 at_custom2 at_custom3 at_custom4 at_link_id at_link_origin "
    "at_link_type at_format at_ptr_name at_bbc_team at_creation at_variant at_emission at_recipient_id "
    "at_recipient_list xtor wt_mc wt_zmc wtmc wt_mc_o wtrid s_cid s_kwcid ef_id _openstat echobox "
    # newsletters: Mailchimp, HubSpot, Marketo, Drip, Vero, Omeda, Klaviyo, MailerLite, ConvertKit, Beehiiv, Acoustic,
    # Salesforce, Sailthru, Blueshift
    "mc_cid mc_eid mc_tc _hsenc _hsmi __hssc __hstc __hsfp hsctatracking mkt_tok __s vero_id vero_conv oly_anon_id "
    "oly_enc_id _kx ml_subscriber ml_subscriber_hash ck_subscriber_id _bhlid bbeml vgo_ee ss_email_id et_rid "
    "spmailingid spuserid spjobid spreportid bsft_clkid bsft_uid bsft_eid bsft_aaid dm_i sc_customer sc_eh sc_uid "
    "_branch_match_id _branch_referrer "
    # publishers' own campaign codes
    "cmpid ncid icid ito ico smid smtyp tracking_source guccounter guce_referrer "
    "guce_referrer_sig spm os_ehash wpisrc wpmm hpid ocid hootpostid sr_share "
    "ns_source ns_mchannel ns_campaign ns_linkname ns_fee maca taid".lower().split()
)
"""Names in lower case."""

TRACKING_PREFIXES: Final = (
    "utm_",
    "pk_",
    "mtm_",
    "matomo_",
    "piwik_",
    "hsa_",
    "itm_",
    "otm_",
    "hmb_",
    "ga_",
    "oft_",
    "g2i_",
    "sfmc_",
)
"""Families of campaign parameters, in lower case."""

SESSION_PARAMETERS: Final = frozenset("phpsessid jsessionid cfid cftoken aspsessionid sessionid session_id".split())
"""Identifiers that a server assigns to one visitor."""

CHANNEL_PARAMETERS: Final = frozenset("ref referrer source src from via share xtref".split())
"""Parameters that name the channel on some sites and choose the article on others. They are removed only if their value
is a channel."""

CHANNELS: Final = frozenset(
    "rss feed feeds atom rssfeed newsletter email e-mail mail twitter tweet x facebook fb whatsapp telegram linkedin "
    "reddit pinterest tumblr pocket flipboard social share sharing push googlenews google_news google-news homepage "
    "copy_link".split()
)

AMP_VARIANTS: Final = {"amp": frozenset({"", "1", "true"}), "outputtype": frozenset({"amp", "valid_amp"})}
"""Parameters that ask for the accelerated mobile variant of the same article."""


def is_tracking(name: str, value: str) -> bool:
    """Returns whether the parameter can be removed from a URL without changing the page."""
    name = name.lower()
    if name in TRACKING_PARAMETERS or name in SESSION_PARAMETERS or name.startswith(TRACKING_PREFIXES):
        return True
    return name in CHANNEL_PARAMETERS and value.lower() in CHANNELS


def is_variant(name: str, value: str) -> bool:
    """Returns whether the parameter only chooses another presentation of the same article."""
    return value.lower() in AMP_VARIANTS.get(name.lower(), ())

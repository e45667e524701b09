"""The data that the operator's pages show: the state of the fleet, of sites and of single articles, in parts of bounded
size.

In here: `fleet` reports what is due and running; `site_facts` has the facts of every site, `site_states` what is wrong
with it, `site_order` its place in the list; `site_parts` has the parts of one site, `failing_pages` its pages whose
last visit failed; `shown_articles` lists the newest articles, `feed_pages` those of a feed, `article_parts` the parts
of one; `work_queue` lists what is due next; `operator_events` records what operators did on the pages. Nothing here
counts articles or pages: numbers come from `newscrawl.storage.monitoring.hours`. Start with `site_facts`.
"""

#!/bin/sh
# /usr/local/bin/newscrawl: newscrawl in its project and with its settings, as the service has them; see docs/how-to/deploy.md
# A variable that the caller has set keeps its value: NEWSCRAWL_DELAY=5 newscrawl doctor.
set -e
given=$(export -p)
set -a
. /etc/newscrawl.env
eval "$given"
set +a
cd /srv/newscrawl/project
exec /srv/newscrawl/venv/bin/newscrawl "$@"

#!/bin/sh
# /usr/local/bin/newscrawl: newscrawl in its project and with its settings, as the service has them; see docs/how-to/deploy.md
set -e
set -a
. /etc/newscrawl.env
set +a
cd /srv/newscrawl/project
exec /srv/newscrawl/venv/bin/newscrawl "$@"

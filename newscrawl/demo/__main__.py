"""`python -m newscrawl.demo`: serve the demo site by hand until Ctrl-C."""

from __future__ import annotations

import argparse
from contextlib import suppress

from newscrawl.demo.server import DEFAULT_PORT, DemoServer


def main() -> None:
    """Serves the site and prints its address."""
    parser = argparse.ArgumentParser(
        prog="python -m newscrawl.demo", description="serve the demo news site on loopback"
    )
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="port to try first (default: %(default)s)")
    port = parser.parse_args().port
    with suppress(KeyboardInterrupt), DemoServer(port=port) as server:
        print(f"the demo site is at http://localhost:{server.port}/ (stop with Ctrl-C)", flush=True)
        server.wait()


if __name__ == "__main__":
    main()

"""Write every generated page: `python -m docs._scripts`."""

from __future__ import annotations

from docs._scripts import pages

if __name__ == "__main__":
    for path, content in pages.generated().items():
        path.write_text(content, encoding="utf-8")
        print(path.relative_to(pages.DOCS.parent))

"""Offers the tools over stdio, with the official SDK of the Model Context Protocol."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import ValidationError

from newscrawl.config.version import version
from newscrawl.errors import NewscrawlError
from newscrawl.mcp.tools import NOTICE, Tools, answer_text
from newscrawl.storage.reader import ReadDatabase

INSTRUCTIONS: Final = (
    "News articles that newscrawl has crawled: `search` finds stories, `article` reads one, `history` compares its "
    f"versions, `why` says what happened to an address, `sites` shows the state of the crawl. {NOTICE}"
)
READ_ONLY: Final = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
TOOLS: Final = ("search", "article", "history", "why", "sites")


def utc_now() -> datetime:
    """Returns the present time."""
    return datetime.now(UTC)


def make_server(database_url: str, clock: Callable[[], datetime] = utc_now) -> MCPServer[Any]:
    """Returns the server of a database. Raises StorageError for a URL that cannot be used, MissingDatabase."""
    tools = Tools(ReadDatabase(database_url), database_url, clock)
    server = OneLineServer("newscrawl", version=version(), instructions=INSTRUCTIONS, log_level="WARNING")
    for name in TOOLS:
        tool = getattr(tools, name)
        described = " ".join(tool.__doc__.split())
        server.tool(name=name, description=described, annotations=READ_ONLY, structured_output=False)(as_text(tool))
    return server


class OneLineServer(MCPServer[Any]):
    """States arguments of a wrong type on one line. The SDK repeats the checking library's lines, with an address."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None) -> Any:
        """Calls a tool. Raises ToolError."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            wrong = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.__cause__.errors())
            raise ToolError(f"{name}: {'; '.join(wrong)}") from error.__cause__


def as_text(tool: Callable[..., Any]) -> Callable[..., str]:
    """Returns the tool so that it answers with JSON as text, and states its errors to the model."""

    @functools.wraps(tool)
    def answered(**arguments: Any) -> str:
        try:
            return answer_text(tool(**arguments))
        except NewscrawlError as error:
            raise ToolError(str(error)) from error

    answered.__annotations__ = {**tool.__annotations__, "return": str}
    return answered

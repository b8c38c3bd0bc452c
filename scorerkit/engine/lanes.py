"""Several pieces of work side by side, ended together."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable


async def side_by_side(lanes: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Wait for all. The first one that raises ends the others, and so does a cancellation."""
    tasks = [asyncio.create_task(lane) for lane in lanes]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

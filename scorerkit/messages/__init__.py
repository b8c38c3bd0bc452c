"""Message shapes from elsewhere, brought to the agent shape once, at the edge; and the filters of ``prepareRun``."""

from __future__ import annotations

from scorerkit.messages.agent_run import to_agent_run
from scorerkit.messages.filtering import filter_run

__all__ = ["filter_run", "to_agent_run"]

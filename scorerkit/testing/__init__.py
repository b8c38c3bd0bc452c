"""For tests of one's own scorers: an assertion, a judge that says what it is told, and builders for agent records."""

from __future__ import annotations

from scorerkit.testing.agents import agent_run, message, tool_call
from scorerkit.testing.assertion import assert_score, assert_score_async
from scorerkit.testing.scripted import ScriptedJudge

__all__ = ["ScriptedJudge", "agent_run", "assert_score", "assert_score_async", "message", "tool_call"]

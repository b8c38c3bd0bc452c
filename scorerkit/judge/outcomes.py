"""The errors of a generation, in words: one function per way in which a question stays without a usable answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.judge.misfit import Misfit
from scorerkit.judge.reading import Unreadable
from scorerkit.model.judge import JudgeError

if TYPE_CHECKING:
    from scorerkit.judge.failure import ProviderFailure
    from scorerkit.judge.transport import Reply

_CUT = {"length", "max_tokens", "max_output_tokens"}
_FILTERED = {
    *("content_filter", "refusal"),
    *("safety", "recitation", "prohibited_content", "blocklist", "spii", "language"),  # Google
    *("content_filtered", "guardrail_intervened"),  # Bedrock
}
_SHOWN = 100
_UNAVAILABLE = {"rate-limit", "server", "timeout", "connection", "unknown"}


def attempts(count: int) -> str:
    return f"{count} attempt{'' if count == 1 else 's'}"


def of_failure(failure: ProviderFailure, step: str, count: int) -> JudgeError:
    """A request that failed for good."""
    if failure.kind in _UNAVAILABLE:
        return JudgeError(
            "judge-unavailable",
            f"the judge was not available for {step} ({attempts(count)})",
            why=f"the last cause was {failure.told}",
        )
    if failure.kind == "context-overflow":
        return _overflow(step, failure.told)
    if failure.kind == "refused":
        return JudgeError("refused", f"the provider refused to judge for {step}", why=failure.told)
    fatal = failure.kind in {"auth", "unknown-model"}
    fix = {
        "auth": "check the key and what it may use",
        "unknown-model": "check the name of the model and the address",
    }.get(failure.kind)
    said = f"the judge's provider rejected the request for {step} (HTTP {failure.status})"
    return JudgeError("judge-rejected", said, why=failure.message, fix=fix, fatal=fatal)


def of_reply(reply: Reply, step: str) -> JudgeError | None:
    """A reply that must not be asked again, or None."""
    reason = (reply.finish_reason or "").lower()
    if reply.refusal or reason in _FILTERED:
        why = reply.refusal or f"the answer was ended with '{reply.finish_reason}'"
        return JudgeError("refused", f"the judge refused to answer {step}", why=why[:500])
    if reason == "model_context_window_exceeded":
        return _overflow(step, "the provider ended the answer there")
    if reason in _CUT:
        return JudgeError(
            "truncated",
            f"the judge's answer for {step} was cut off at its token limit",
            why="a cut answer is not read",
            fix="raise 'maxOutputTokens' in 'modelSettings'",
        )
    return None


def overflow_before_sending(step: str, estimate: int, window: int) -> JudgeError:
    return _overflow(step, f"about {estimate} tokens, and the model's window holds {window}")


def of_unusable(fault: ValueError, step: str, count: int, text: str = "") -> JudgeError:
    """No answer fitted, in as many attempts as were allowed; ``text`` is the last one, without secrets."""
    if isinstance(fault, Misfit) and fault.code == "out-of-range":
        return JudgeError("out-of-range", f"the judge's {fault} ({attempts(count)}, {step})")
    said = f"the judge gave no usable answer for {step} ({attempts(count)})"
    # A misfit names the value at fault; of what could not be read, only the answer itself tells.
    began = f"; it began '{_beginning(text)}'" if isinstance(fault, Unreadable) and text.strip() else ""
    return JudgeError("unusable-answer", said, why=f"{fault}{began}")


def _beginning(text: str) -> str:
    text = text.strip()
    shown = "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in text[:_SHOWN])
    return f"{shown}…" if len(text) > _SHOWN else shown


def of_refusing_processor(step: str, reason: str) -> JudgeError:
    return JudgeError("refused-by-processor", f"a processor refused {step}: {reason}")


def of_failing_processor(step: str, told: str) -> JudgeError:
    return JudgeError("step-failed", f"a processor of {step} failed: {told}")


def _overflow(step: str, why: str) -> JudgeError:
    return JudgeError(
        "context-overflow",
        f"the request for {step} does not fit into the model's context",
        why=why,
        fix="shorten the prompt, or use 'maxInputCharacters'",
    )

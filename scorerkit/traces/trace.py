"""A whole trace: its tree, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorerkit.errors import RecordError
from scorerkit.traces.formats.otlp import ONE_RUN
from scorerkit.traces.span import BAD_RECORD, WHOLE, Identity, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorerkit.traces.formats import TraceFormat
    from scorerkit.traces.span import Raw


class Trace:
    """The spans of one trace id; there is at least one, or a note on the whole.

    Of two spans with one id the later one holds: exporters send again. What a span means is worked out when it is
    asked for, once.
    """

    def __init__(self, form: TraceFormat, raws: list[Raw]) -> None:
        self.form = form
        self.id = raws[0].trace
        self._raws = {raw.id: raw for raw in raws}
        self.note = self._raws.pop(WHOLE, None)
        self._spans: dict[str, Span] = {}
        self._parents = {raw.id: raw.parent for raw in self._raws.values()}
        self._roots = [own for own, parent in self._parents.items() if parent is None]
        if self.note is not None and ONE_RUN in self.note.value and self._roots:
            top = self.root
            for own, parent in self._parents.items():
                if parent is not None and parent not in self._parents:
                    self._parents[own] = top

    def check(self) -> None:
        """Raise what keeps the trace from being scored.

        Raises:
            RecordError: ``bad-record``: no span, no root, a parent that is not there, or spans in a circle.
        """
        parents = self._parents
        if not parents:
            raise RecordError(BAD_RECORD, f"the trace '{self.id}' has no spans")
        for own, parent in parents.items():
            if parent is not None and parent not in parents:
                raise _missing_parent(own, parent, rooted=bool(self._roots))
        roots = {None, *self._roots}
        flat = all(parent in roots for parent in parents.values())
        if not self._roots or not (flat or len(self._reached()) == len(parents)):
            raise RecordError(BAD_RECORD, "spans are their own ancestors: the trace has no root span")

    @property
    def root(self) -> str:
        """The id of the root that is an agent, of the first one otherwise."""
        if len(self._roots) == 1:
            return self._roots[0]
        ordered = sorted(self._roots, key=lambda own: self.span(own).start or 0.0)
        return next((own for own in ordered if self.span(own).kind == "agent"), ordered[0])

    def span(self, own: str) -> Span:
        made = self._spans.get(own)
        if made is None:
            made = self._spans[own] = self.form.span(self._raws[own])
        return made

    def whole(self) -> Span | None:
        """What is noted of the trace besides its spans."""
        return self.form.span(self.note) if self.note is not None else None

    def parent(self, own: str) -> str | None:
        return self._parents[own]

    def children(self) -> dict[str | None, list[str]]:
        """Id of a parent → ids of its children, in the order of the file; roots stand under None."""
        found: dict[str | None, list[str]] = {}
        for own, parent in self._parents.items():
            found.setdefault(parent, []).append(own)
        return found

    def under(self, head: str | None) -> list[Span]:
        """The spans of a subtree, or of the whole trace, in time order."""
        ids = list(self._parents) if head is None else list(self._reached(head))
        return sorted((self.span(own) for own in ids), key=lambda span: span.start or 0.0)

    def ancestors(self, own: str) -> Iterator[str]:
        """The ids above a span, nearest first."""
        parent = self._parents.get(own)
        while parent is not None:
            yield parent
            parent = self._parents.get(parent)

    def identity(self) -> Identity:
        """Session and user, as the note or the first span that names one says."""
        session = user = None
        raws = [self.note] if self.note is not None else []
        for raw in (*raws, *self._raws.values()):
            found = self.form.identity(raw)
            session, user = session or found.session, user or found.user
            if session and user:
                break
        return Identity(session, user)

    def more(self) -> dict[str, object]:
        """Further fields of its run."""
        return self.form.more(self.note if self.note is not None else self._raws[self.root])

    def _reached(self, head: str | None = None) -> dict[str, None]:
        """The ids that hang under one, itself included, or under the roots."""
        below = self.children()
        waiting = list(reversed(below.get(None, []))) if head is None else [head]
        found: dict[str, None] = {}
        while waiting:
            own = waiting.pop()
            if own not in found:
                found[own] = None
                waiting += reversed(below.get(own, []))
        return found


def _missing_parent(own: str, parent: str, *, rooted: bool) -> RecordError:
    what = f"the span '{own}' hangs under '{parent}', which is not in the data"
    if not rooted:
        what = f"the trace has no root span: {what}"
    fix = "export the whole trace, or take the parent away from its topmost span"
    return RecordError(BAD_RECORD, what, why="what a part of a trace shows is not what happened", fix=fix)

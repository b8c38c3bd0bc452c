"""Lines of results into files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scorerkit.errors import ScorerkitError
from scorerkit.report import check_report_name
from scorerkit.results.emitters import file_of, open_emitter
from scorerkit.results.row import EXCLUDABLE, RowMaker
from scorerkit.results.sinks import open_sink
from scorerkit.results.targets import check_targets

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorerkit.results.sinks import Sink


def check_written(
    outputs: Sequence[str],
    reports: Sequence[str],
    exclude: Sequence[str],
    read: Iterable[str],
    emitted: Sequence[str] = (),
) -> None:
    """Refuse what cannot be written, before anything is read.

    Raises:
        ScorerkitError: a name, a form or a word is wrong, or a file would be written over.
    """
    for name in reports:
        check_report_name(name)
    for word in exclude:
        if word not in EXCLUDABLE:
            message = f"--exclude does not know '{word}'"
            raise ScorerkitError(message, fix=f"use {', '.join(EXCLUDABLE)}")
    written = [("--output", name) for name in outputs] + [("--report", name) for name in reports]
    written += [("--emit", place) for target in emitted if (place := file_of(target))]
    check_targets(written, [("a source", name) for name in read if Path(name).exists()])


def write_out(
    lines: Iterable[bytes], outputs: Sequence[str], exclude: Sequence[str] = (), emitted: Sequence[str] = ()
) -> int:
    """Write lines to all outputs and emitters, each whole or not at all; returns how many there were.

    Raises:
        ScorerkitError: an output cannot be made.
        Inconclusive: it can no longer be written.
    """
    rows = RowMaker("", exclude=frozenset(exclude))
    sinks: list[Sink] = []
    emitters: list[Sink] = []
    count = 0
    try:
        sinks += (open_sink(name) for name in outputs)
        emitters += (open_emitter(target) for target in emitted)
        for count, line in enumerate(lines, 1):  # noqa: B007 - how many there were
            shown = rows.shown(line, None)
            for sink in sinks:
                sink.write(shown)
            for emitter in emitters:
                emitter.write(line)
    except BaseException:
        for sink in (*sinks, *emitters):
            sink.abort()
        raise
    for sink in (*sinks, *emitters):
        sink.finish()
    return count

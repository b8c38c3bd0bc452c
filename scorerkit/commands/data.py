"""What ``run`` scores: the scorers' own data or ``--data``, with the mapping and the cuts of both."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorerkit.build.records import where_of
from scorerkit.check.where import check_where
from scorerkit.commands.options import pairs_of
from scorerkit.dataset import Cuts, open_dataset
from scorerkit.errors import RecordError, ScorerkitError
from scorerkit.expression import compile_expression
from scorerkit.model.run import RUN_KEYS
from scorerkit.suggest import suggestion
from scorerkit.template.environment import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scorerkit.check.findings import Finding
    from scorerkit.dataset import AnyDataset
    from scorerkit.model.json import Json
    from scorerkit.model.plan import DataSource, Plan


def open_data(plans: tuple[Plan, ...], options: Mapping[str, Any]) -> AnyDataset:
    """The data set of a call; ``options`` are those of ``run``, by name.

    Raises:
        ScorerkitError: there is no data, or an option about it is wrong.
    """
    source = _own_data(plans) if options["data"] is None else None
    mapping = dict(source.mapping) if source else _shared_mapping(plans, options["data"])
    where = source.where if source else None
    filters = {f"'where' of {source.shown}": source.written["where"]} if source and where else {}
    if options["where"]:
        where = _both(where, _where(options["where"]))
        filters["--where"] = options["where"]
    limit = options["limit"] or (source.limit if source else None)
    return open_dataset(
        source.file if source else options["data"],
        shown=source.shown if source else options["data"],
        format=options["data_format"] or (source.format if source else None),
        mapping=mapping | _mapped(options["mapping"]),
        cuts=Cuts(where, limit, options["sample"], options["seed"], shard_of(options["shard"]), _check_of(filters)),
        duplicate_ids=options["duplicate_ids"],
        by=options["by"],
        span_kind=options["span_kind"],
    )


SELECTING = (
    "data_format", "mapping", "where", "limit", "sample", "seed", "shard", "duplicate_ids", "by", "span_kind"
)  # fmt: skip
"""Options that decide which records there are, and what is in them."""


def selection_of(plans: tuple[Plan, ...], options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The path of the data (``-`` for standard input), and everything that selects from it, as plain data."""
    source = _own_data(plans) if options["data"] is None else None
    selecting = {name: options[name] for name in SELECTING if options[name] not in (None, ())}
    if source is not None:
        selecting["data"] = {key: value for key, value in source.written.items() if key != "file"}
    elif _shared_mapping(plans, options["data"]):
        selecting["mappings"] = [plan.data.written.get("map") for plan in plans if plan.data is not None]
    return (source.file if source else options["data"]), selecting


def _mapped(words: tuple[str, ...]) -> dict[str, Any]:
    """The fields that ``--map`` fills."""
    mapping = pairs_of("--map", words)
    for field in mapping:
        if field not in RUN_KEYS:
            message = f"--map cannot fill '{field}': a run has no such field"
            raise ScorerkitError(message, code="unknown-value", fix=suggestion(field, RUN_KEYS))
    return {field: ("path", column) for field, column in mapping.items()}


def shard_of(text: str | None) -> tuple[int, int] | None:
    """``2/8`` as (2, 8).

    Raises:
        ScorerkitError: it is not a part of a whole.
    """
    if text is None:
        return None
    part, slash, parts = text.partition("/")
    if slash and part.isascii() and parts.isascii() and part.isdigit() and parts.isdigit():
        shard = int(part), int(parts)
        if 1 <= shard[0] <= shard[1]:
            return shard
    message = f"--shard cannot be '{text}'"
    raise ScorerkitError(message, fix="write it as I/N, such as 2/8: the second of eight parts")


def _own_data(plans: tuple[Plan, ...]) -> DataSource:
    """The data that the scorers name, when --data is not given."""
    without = [plan.id for plan in plans if plan.data is None]
    if without:
        message = f"nothing to score: '{without[0]}' names no data"
        raise ScorerkitError(message, fix="give --data FILE, or add 'data' to the scorer")
    sources = {plan.data.file: plan.data for plan in plans if plan.data is not None}
    if len(sources) > 1:
        message = f"the scorers name different data: {', '.join(source.shown for source in sources.values())}"
        raise ScorerkitError(message, fix="give --data FILE, or run them one by one")
    return next(iter(sources.values()))


def _shared_mapping(plans: tuple[Plan, ...], data: str) -> dict[str, Any]:
    """A scorer's own mapping holds for its own file only, also when that file is named by --data."""
    for plan in plans:
        if plan.data is not None and data != "-" and Path(plan.data.file).resolve() == Path(data).resolve():
            return dict(plan.data.mapping)
    return {}


def _where(text: str) -> Any:
    """The filter of ``--where``; where it fails for a record, the place is the record's."""
    _refuse("--where", check_where(text))
    holds = where_of(compile_expression(plain(), text, lambda _name, _line: None).evaluate)

    def where(row: dict[str, Json], run: dict[str, Json]) -> bool:
        try:
            return holds(row, run)
        except RecordError as error:
            error.message = f"--where: {error.message}"
            raise

    return where


def _check_of(filters: dict[str, str]) -> Callable[[list[str]], None]:
    """What holds filters, by what they are called, against the columns of a table."""

    def check(columns: list[str]) -> None:
        for called, text in filters.items():
            _refuse(called, check_where(text, columns))

    return check


def _refuse(called: str, finding: Finding | None) -> None:
    if finding is not None:
        message = f"{called}: {finding.message}"
        raise ScorerkitError(message, code=finding.code, why=finding.why, fix=finding.fix)


def _both(first: Any, second: Any) -> Any:
    return second if first is None else lambda row, run: first(row, run) and second(row, run)

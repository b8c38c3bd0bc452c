"""The tables, and the version that a store of them carries."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, Integer, LargeBinary, MetaData, String, Table, Text

VERSION = 2
"""Raised with every change of a table, together with a migration in ``database.MIGRATIONS``."""

METADATA = MetaData()

SETTINGS = Table(
    "settings",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("value", String(256), nullable=False),
)

ANSWERS = Table(
    "answers",
    METADATA,
    Column("digest", String(64), primary_key=True),
    Column("model", String(256), nullable=False),
    Column("reply", LargeBinary, nullable=False),
    Column("kept_at", Integer, nullable=False),
)
"""Usable answers of judges: request digest → reply as JSON; ``kept_at`` in seconds since 1970."""

EXPERIMENTS = Table(
    "experiments",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("status", String(16), nullable=False),
    Column("started_at", String(32), nullable=False),
    Column("ended_at", String(32)),
    Column("tool", String(32), nullable=False),
    Column("git_commit", String(64)),
    Column("data", Text, nullable=False),
    Column("scorers", Text, nullable=False),
    Column("summary", Text),
)
"""One row per execution. ``data``, ``scorers`` and ``summary`` are JSON; times are ISO 8601 in UTC."""

RESULTS = Table(
    "results",
    METADATA,
    Column("experiment", Integer, primary_key=True, autoincrement=False),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("scorer", Integer, primary_key=True, autoincrement=False),
    Column("status", String(12), nullable=False),
    Column("score", Float),
    Column("run_id", Text),
    Column("row", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""One row per record and scorer. ``position`` is the record's place in the data, ``scorer`` the scorer's among those
of the experiment, both from 0; ``row`` is the whole result as a line of JSON."""

STEPS = Table(
    "steps",
    METADATA,
    Column("experiment", Integer, primary_key=True, autoincrement=False),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("scorer", Integer, primary_key=True, autoincrement=False),
    Column("step", String(32), primary_key=True),
    Column("sample", Integer, primary_key=True, autoincrement=False),
    Column("answer", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""Judged steps of records that are not scored yet: ``answer`` is ``{value, execution}`` as JSON."""

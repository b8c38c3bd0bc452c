"""The tables, and the version that a file of them carries."""

from __future__ import annotations

from sqlalchemy import Column, Integer, LargeBinary, MetaData, String, Table

VERSION = 1
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

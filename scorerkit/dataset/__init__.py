"""Data to be scored: files and streams of records, read twice or once, never held whole."""

from __future__ import annotations

from scorerkit.dataset.cuts import Cuts
from scorerkit.dataset.fields import FieldMap, Source
from scorerkit.dataset.records import Dataset, Record

__all__ = ["Cuts", "Dataset", "FieldMap", "Record", "Source"]

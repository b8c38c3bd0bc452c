"""Data to be scored: files and streams of records, read twice or once, never held whole."""

from __future__ import annotations

from scorerkit.dataset.cuts import Cuts
from scorerkit.dataset.fields import FieldMap, Source
from scorerkit.dataset.records import Dataset, Record
from scorerkit.dataset.sources import AnyDataset, open_dataset

__all__ = ["AnyDataset", "Cuts", "Dataset", "FieldMap", "Record", "Source", "open_dataset"]

"""scorerkit's reading of spans as ``run`` does it while it scores: one record a trace, from the file to the record."""

from __future__ import annotations

import time

from meter import arguments, tell

from scorerkit.dataset import open_dataset
from scorerkit.engine.collecting import collecting_rarely

given = arguments()
dataset = open_dataset(str(given.data))
with collecting_rarely():
    surveyed = time.perf_counter()
    dataset.survey()
    started = time.perf_counter()
    count = sum(record.error is None for record in dataset)
    tell(count, surveyed if given.whole else started)

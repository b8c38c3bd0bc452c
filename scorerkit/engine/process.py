"""A worker process of ``--workers``: shards come on standard input, replies go to standard output."""

from __future__ import annotations

import os
import queue
import signal
import struct
import sys
import threading
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from scorerkit.engine.worker import Worker

FRAME = struct.Struct("<Q")
"""Before every message: its length in bytes."""


def main() -> None:
    """Answer until the driver is gone. Its death ends this process at once, whatever it is doing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the driver, which ends its workers
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what an author's code prints must not come between replies
    shards: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, shards), daemon=True).start()
    task = shards.get()
    from scorerkit.engine.worker import answer

    worker: Worker | None = None
    while True:
        worker, reply = answer(worker, task, shards.get())
        _write(replies, reply)


def _read(stream: BinaryIO, shards: queue.SimpleQueue[bytes]) -> None:
    while head := stream.read(FRAME.size):
        shards.put(stream.read(FRAME.unpack(head)[0]))
    os._exit(0)


def _write(stream: BinaryIO, data: bytes) -> None:
    left = memoryview(FRAME.pack(len(data)) + data)
    try:
        while left:
            left = left[stream.write(left) :]
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main()

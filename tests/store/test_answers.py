from __future__ import annotations

import asyncio
import os
import sqlite3

import pytest

from scorerkit.store import AnswerCache, Writer, open_database
from scorerkit.store.answers import clear, statistics
from scorerkit.store.database import NewerStoreError, StoreUnusableError, default_path
from scorerkit.store.tables import VERSION

REPLY = {"text": '{"score": 1}', "usage": {"inputTokens": 3}}


class Opened(AnswerCache):
    def close(self):
        self._writer.close()
        self._writer.database.close()


def opened(tmp_path, **options):
    return Opened(Writer(open_database(default_path(tmp_path))), **options)


def test_an_answer_comes_back_in_another_process(tmp_path):
    first = opened(tmp_path)
    asyncio.run(first.put("a" * 64, "openai/x", REPLY))
    first.close()
    second = opened(tmp_path)
    assert asyncio.run(second.get("a" * 64)) == REPLY
    assert asyncio.run(second.get("b" * 64)) is None
    second.close()


def test_an_answer_is_committed_when_put_returns(tmp_path):
    cache = opened(tmp_path)

    async def main():
        await asyncio.gather(*(cache.put(f"{number:064}", "openai/x", REPLY) for number in range(50)))
        other = sqlite3.connect(default_path(tmp_path))
        return other.execute("SELECT count(*) FROM answers").fetchone()

    assert asyncio.run(main()) == (50,)


def test_a_cancelled_record_still_keeps_its_answer(tmp_path):
    cache = opened(tmp_path)

    async def main():
        task = asyncio.create_task(cache.put("c" * 64, "openai/x", REPLY))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.sleep(0.01)

    asyncio.run(main())
    cache.close()
    again = opened(tmp_path)
    assert asyncio.run(again.get("c" * 64)) == REPLY


def test_refresh_gives_nothing_back_and_keeps_anew(tmp_path):
    cache = opened(tmp_path)
    asyncio.run(cache.put("d" * 64, "openai/x", REPLY))
    cache.close()
    fresh = opened(tmp_path, refresh=True)
    assert asyncio.run(fresh.get("d" * 64)) is None
    asyncio.run(fresh.put("d" * 64, "openai/x", {"text": "new"}))
    fresh.close()
    assert asyncio.run(opened(tmp_path).get("d" * 64)) == {"text": "new"}


def test_answers_are_counted_and_forgotten(tmp_path):
    cache = opened(tmp_path)
    asyncio.run(cache.put("e" * 64, "openai/x", REPLY))
    asyncio.run(cache.put("f" * 64, "openai/y", REPLY))
    database = open_database(default_path(tmp_path))
    assert statistics(database).models == {"openai/x": 1, "openai/y": 1}
    assert clear(database) == 2
    assert statistics(database).answers == 0


def test_the_store_keeps_itself_out_of_version_control(tmp_path):
    opened(tmp_path)
    assert (tmp_path / ".scorerkit" / ".gitignore").read_text() == "*\n"


def test_a_store_of_a_newer_release_is_refused(tmp_path):
    opened(tmp_path).close()
    with sqlite3.connect(default_path(tmp_path)) as connection:
        connection.execute("UPDATE settings SET value = ? WHERE name = 'version'", (str(VERSION + 1),))
    with pytest.raises(NewerStoreError, match="newer release"):
        opened(tmp_path)


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to be looked at", b"\0" * 5000])
def test_a_file_that_is_no_store_is_one_sentence(tmp_path, content):
    path = default_path(tmp_path)
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StoreUnusableError, match="cannot be used"):
        open_database(path)


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / ".scorerkit").write_text("a file")
    with pytest.raises(StoreUnusableError, match="cannot be used"):
        opened(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_one_sentence(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(StoreUnusableError, match="cannot be used"):
        opened(tmp_path)

import asyncio

import pytest

from scorerkit.judge import slots
from scorerkit.judge.slots import Slots


async def taken(held, count):
    """How many of ``count`` tasks have a slot after a moment, and the tasks."""
    tasks = [asyncio.create_task(held.take()) for _ in range(count)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return sum(task.done() for task in tasks), tasks


def test_without_a_refusal_there_is_no_bound():
    async def main():
        assert (await taken(Slots(), 1000))[0] == 1000

    asyncio.run(main())


def test_after_a_burst_of_refusals_as_many_go_as_were_let_through():
    async def main():
        held = Slots()
        await taken(held, 16)
        for _ in range(10):
            held.shrink(0.0)
        for _ in range(16):
            held.free()
        count, tasks = await taken(held, 16)
        assert count == 6
        held.free()
        await asyncio.sleep(0)
        assert sum(task.done() for task in tasks) == 7
        [task.cancel() for task in tasks]

    asyncio.run(main())


def test_slots_grow_by_one_a_round_to_just_below_what_was_too_many(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(slots.time, "monotonic", lambda: now[0])

    async def main():
        held = Slots()
        await taken(held, 5)
        held.shrink(100.0)
        held.shrink(99.0)  # of the same burst
        assert int(held._limit) == 3
        for _ in range(4):
            held.grow()
        assert int(held._limit) == 4
        for _ in range(100):
            held.grow()
        assert held._limit == 4
        now[0] += 100
        for _ in range(40):
            held.grow()
        assert held._limit > 5

    asyncio.run(main())


@pytest.mark.parametrize("most", [1, 3])
def test_the_users_own_bound_is_never_exceeded(most):
    async def main():
        held = Slots(most)
        held.grow()
        count, tasks = await taken(held, 10)
        assert count == most
        [task.cancel() for task in tasks]

    asyncio.run(main())


def test_at_least_one_goes_always():
    async def main():
        held = Slots()
        await held.take()
        for _ in range(50):
            held.shrink(0.0)
        held.free()
        assert (await taken(held, 1))[0] == 1

    asyncio.run(main())


def test_a_slot_whose_waiter_was_cancelled_goes_to_the_next():
    async def main():
        held = Slots(1)
        await held.take()
        _, (first, second) = await taken(held, 2)
        held.free()
        first.cancel()
        await asyncio.sleep(0)
        await asyncio.wait_for(second, 1)

    asyncio.run(main())

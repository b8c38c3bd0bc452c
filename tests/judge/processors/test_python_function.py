import asyncio
from dataclasses import dataclass

import pytest

from scorerkit.judge.failure import normalise
from scorerkit.judge.processors import Retry, build_processor
from scorerkit.model.judge import Message

MESSAGES = (Message("system", "s"), Message("user", "u"))


def run(awaitable):
    return asyncio.run(awaitable)


def test_only_declared_arguments_are_given_by_name():
    def shout(messages, suffix):
        return [{**m, "content": m["content"].upper() + suffix} for m in messages]

    processor = build_processor("input", shout, {"suffix": "!", "unused": 1})
    assert run(processor.process_input(MESSAGES)) == [Message("system", "S!"), Message("user", "U!")]


def test_async_functions_and_catch_all_arguments_work():
    async def process_output(**given):
        return {"score": given["answer"], "by": given["by"]}

    processor = build_processor("output", process_output, {"by": "me"})
    assert run(processor.process_output("1")) == {"score": "1", "by": "me"}


def test_results_become_json():
    @dataclass
    class Verdict:
        score: float

    processor = build_processor("output", lambda answer: Verdict(float(answer)))
    assert run(processor.process_output("0.5")) == {"score": 0.5}


def test_an_error_processor_sees_the_exception_and_what_it_means():
    error = type("ApiError", (Exception,), {"status_code": 418})("teapot")

    def decide(error, failure, retry_count):
        return Retry(5) if failure.status == 418 and "teapot" in str(error) and retry_count < 1 else None

    processor = build_processor("error", decide)
    assert run(processor.process_api_error(normalise(error), 0)) == Retry(5)
    assert run(processor.process_api_error(normalise(error), 1)) is None


def test_any_other_decision_is_a_mistake():
    with pytest.raises(TypeError, match="must return Retry"):
        run(build_processor("error", lambda: True).process_api_error(normalise(ValueError()), 0))


def test_an_object_or_class_with_the_method_is_a_processor_too():
    class Loud:
        def process_input(self, messages):
            return [Message(m["role"], m["content"] * 2) for m in messages]

    for use in (Loud, Loud()):
        wrapped = build_processor("input", use if isinstance(use, type) else use.process_input)
        assert run(wrapped.process_input(MESSAGES))[1].content == "uu"

import pytest

from scorerkit import load_scorer
from scorerkit.build.plan import bounds
from scorerkit.model.plan import Bounds


@pytest.mark.parametrize(
    ("written", "direction", "found"),
    [
        (None, "maximize", None),
        (0.5, "maximize", Bounds(0.5, None)),
        (0.5, "minimize", Bounds(None, 0.5)),
        (0, "maximize", Bounds(0, None)),
        ({"min": 1}, "minimize", Bounds(1, None)),
        ({"min": 1, "max": 2}, "maximize", Bounds(1, 2)),
    ],
)
def test_a_bare_number_is_the_worse_bound(written, direction, found):
    assert bounds(written, direction) == found


@pytest.mark.parametrize(
    ("interval", "value", "inside"),
    [
        (Bounds(0, 1), 0, True),
        (Bounds(0, 1), 1, True),
        (Bounds(0, 1), 1.01, False),
        (Bounds(), 9, True),
        (Bounds(2), 1, False),
    ],
)
def test_bounds_are_inside(interval, value, inside):
    assert interval.contains(value) is inside


def test_a_plan_has_everything_a_run_needs(write):
    plan = load_scorer(
        write(
            "s.yaml",
            """
            id: my/scorer
            name: Mine
            description: d
            version: "2"
            tags: [a, b]
            deprecated: use another
            direction: minimize
            range: {max: 1}
            threshold: 0.2
            gate: {mean: 0.3, passRate: 0.9, maxNotScorable: 2}
            steps:
              generateReason: {expression: "'x'", when: false}
              generateScore: {expression: "1"}
              preprocess: {expression: "1"}
            """,
        )
    ).plan
    assert plan.identity == {"id": "my/scorer", "name": "Mine", "version": "2", "digest": plan.digest}
    assert [planned.step.name for planned in plan.steps] == ["preprocess", "generateScore", "generateReason"]
    assert [planned.when is None for planned in plan.steps] == [True, True, False]
    assert (plan.range, plan.threshold) == (Bounds(None, 1), Bounds(None, 0.2))
    assert (plan.gate.mean, plan.gate.pass_rate, plan.gate.max_not_scorable) == (Bounds(None, 0.3), 0.9, 2)
    assert (plan.judged, plan.judge_digest, plan.tags, plan.deprecated) == (False, None, ("a", "b"), "use another")


def test_the_name_of_a_scorer_is_its_id_where_it_has_none(write):
    assert load_scorer(write("s.yaml", "id: s\nsteps: {generateScore: {expression: '1'}}\n")).plan.name == "s"

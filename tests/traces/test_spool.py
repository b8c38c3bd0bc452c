from decimal import Decimal

from scorerkit.errors import RecordError
from scorerkit.traces.span import Raw
from scorerkit.traces.spool import Spool


def filled(*traces):
    spool = Spool()
    for line, trace in enumerate(traces, 1):
        if trace is None:
            spool.fail(RecordError("bad-record", "no span", fix="mend it"), line)
        else:
            spool.add(Raw(trace, f"s{line}", None, {"n": line}), line)
    spool.close_input()
    return spool


def test_spans_come_out_by_trace_in_the_order_of_the_first_ones():
    spool = filled("b", "a", None, "b", "a", "c")
    groups = [
        ([raw.id for raw in group.raws], group.line, group.error and group.error.message) for group in spool.groups()
    ]
    assert groups == [(["s1", "s4"], 1, None), (["s2", "s5"], 2, None), ([], 3, "no span"), (["s6"], 6, None)]
    assert spool.count() == 4


def test_groups_come_out_by_session_and_those_of_none_alone():
    spool = filled("a", "b", "c", None, "d", "e")
    sessions = {"a": "one", "b": None, "c": "one", "d": "two", "e": None}
    for _ in range(2):
        assert spool.assign(lambda group: sessions[group.raws[0].trace] if group.raws else None) == 5
        found = [[group.raws[0].trace if group.raws else None for group in groups] for groups in spool.sessions()]
        assert found == [["a", "c"], ["b"], [None], ["d"], ["e"]]


def test_numbers_of_any_kind_are_kept():
    spool = Spool()
    spool.add(Raw("t", "s", None, {"fraction": Decimal("0.5"), "long": 2**100}), 1)
    [group] = spool.groups()
    assert group.raws[0].value == {"fraction": 0.5, "long": float(2**100)}


def test_more_spans_than_a_batch_all_come_out():
    spool = filled(*(f"t{n % 7}" for n in range(2000)))
    assert sum(len(group.raws) for group in spool.groups()) == 2000

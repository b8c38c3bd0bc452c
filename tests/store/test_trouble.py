"""What a store can meet: a full disk, a folder that may not be written, a lock, another run, what is no store."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TIMES = re.compile(rb'"(durationMs|experimentId)":("[^"]*"|[\d.]+)')
MOUNTS = os.geteuid() == 0 and sys.platform == "linux"
RECORDS = 5000


@pytest.fixture
def running(project, write):
    """Words of ``run`` → a process; environment by keyword."""
    write(
        "s.yaml",
        "id: s\ndescription: How long it is.\nignore: [no-tests]\nsteps: {generateScore: {expression: run.output | length}}\n",
    )
    write("runs.jsonl", [{"runId": f"r{i}", "output": "a" * (i % 90)} for i in range(RECORDS)])

    def start(*words, **env):
        command = [sys.executable, "-m", "scorerkit", "run", "s.yaml", "--data", "runs.jsonl", *words]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **env}
        return subprocess.Popen(command, cwd=project, env=environment, stderr=subprocess.PIPE, text=True)

    return start


def ended(process):
    err = process.communicate(timeout=60)[1]
    assert "Traceback" not in err
    return process.returncode, err


@contextmanager
def disk(place, size="1m"):
    """A disk of its own; the test is left out where none may be mounted."""
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], capture_output=True)
    if done.returncode:
        pytest.skip("no disk may be mounted here")
    try:
        yield lambda *options: subprocess.run(["mount", "-o", f"remount,{','.join(options)}", str(place)], check=True)
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def again(err):
    """The words after ``run SCORER --data FILE`` of the command that goes on."""
    return err.rpartition("go on with: scorerkit run s.yaml --data runs.jsonl ")[2].split("\n")[0].split()


def bare(path):
    return TIMES.sub(b"", path.read_bytes())


@pytest.fixture
def whole(running, project):
    """The results of a run that meets nothing."""
    assert ended(running("--no-store", "--output", "whole.jsonl"))[0] == 0
    return bare(project / "whole.jsonl")


@pytest.mark.slow
@pytest.mark.skipif(not MOUNTS, reason="only root may mount a disk")
def test_a_store_on_a_full_disk_ends_the_run_and_is_taken_up_when_there_is_room(running, project, whole):
    with disk(project / "small") as change:
        code, err = ended(running("--output", "out.jsonl", SCORERKIT_STORE="small/s.db"))
        assert code == 3
        assert re.search(r"disk (I/O error|is full)", err)
        assert "make room" in err
        assert not (project / "out.jsonl").exists()
        change("size=40m")
        code, err = ended(running(*again(err), SCORERKIT_STORE="small/s.db"))
        assert code == 0, err
    assert bare(project / "out.jsonl") == whole


@pytest.mark.slow
@pytest.mark.skipif(not MOUNTS, reason="only root may mount a disk")
def test_results_on_a_full_disk_end_the_run_and_nothing_is_scored_twice(running, project, whole):
    with disk(project / "small") as change:
        code, err = ended(running("--output", "small/out.jsonl"))
        assert code == 3
        assert "results can no longer be written to 'small/out.jsonl': No space left on device" in err
        assert not (project / "small/out.jsonl").exists()
        change("size=40m")
        code, err = ended(running(*again(err)))
        assert code == 0, err
        assert bare(project / "small/out.jsonl") == whole


@pytest.mark.slow
@pytest.mark.skipif(not MOUNTS, reason="only root may mount a disk")
def test_a_folder_that_may_not_be_written_stops_a_run_that_names_it_and_costs_others_a_warning(running, project):
    with disk(project / "small") as change:
        change("ro")
        code, err = ended(running("--output", "out.jsonl", SCORERKIT_STORE="small/s.db"))
        assert code == 2
        assert "make it writable, name another with 'store', or --no-store" in err
    (project / "small").rmdir()
    with disk(project / ".scorerkit") as change:
        change("ro")
        code, err = ended(running("--output", "out.jsonl"))
        assert code == 0
        assert "warning: nothing is kept" in err
        assert (project / "out.jsonl").read_bytes().count(b"\n") == RECORDS


@pytest.mark.slow
def test_a_lock_is_waited_for(running, project, whole):
    assert ended(running("--limit", "1"))[0] == 0
    lock = sqlite3.connect(project / ".scorerkit/scorerkit.db", isolation_level=None)
    lock.execute("begin immediate")
    process = running("--output", "out.jsonl")
    time.sleep(2)
    assert process.poll() is None
    lock.close()
    code, err = ended(process)
    assert code == 0, err
    assert bare(project / "out.jsonl") == whole


@pytest.mark.slow
def test_a_lock_that_stays_ends_the_run_with_a_reason(running, project):
    assert ended(running("--limit", "1"))[0] == 0
    lock = sqlite3.connect(project / ".scorerkit/scorerkit.db", isolation_level=None)
    lock.execute("begin immediate")
    code, err = ended(running("--output", "out.jsonl"))
    assert code == 3
    assert "database is locked" in err
    assert "wait until the process that holds it lets go" in err
    lock.close()


def test_runs_at_once_share_a_store(running, project, whole):
    processes = [running("--output", f"out-{number}.jsonl") for number in range(3)]
    for number, process in enumerate(processes):
        code, err = ended(process)
        assert code == 0, err
        assert bare(project / f"out-{number}.jsonl") == whole
    kept = sqlite3.connect(project / ".scorerkit/scorerkit.db")
    assert kept.execute("select count(*) from results").fetchone() == (3 * RECORDS,)
    assert kept.execute("pragma integrity_check").fetchone() == ("ok",)
    kept.close()


def test_a_store_is_made_once_however_many_processes_make_it(tmp_path):
    code = "import sys; from scorerkit.store import open_database; open_database(sys.argv[1]).close()"
    for turn in range(4):
        command = [sys.executable, "-c", code, str(tmp_path / f"{turn}.db")]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        processes = [subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) for _ in range(5)]
        assert [process.communicate(timeout=60)[1] for process in processes] == [""] * 5


def test_what_is_no_store_is_left_as_it_is(running, project):
    other = project / "other.db"
    other.write_bytes(b"no database" * 500)
    code, err = ended(running("--output", "out.jsonl", SCORERKIT_STORE="other.db"))
    assert code == 2
    assert "file is not a database" in err
    assert "it is something else, or damaged" in err
    assert other.read_bytes() == b"no database" * 500


@pytest.mark.slow
def test_an_experiment_that_runs_is_not_taken_up_by_another(running, project, write):
    write("slow.py", "import time\n\ndef slow(run):\n    time.sleep(0.01)\n    return 1\n")
    write("s.yaml", "id: s\ndescription: Slow.\nignore: [no-tests]\nsteps: {generateScore: {function: slow.slow}}\n")
    first = running("--output", "out.jsonl")
    partial = project / "out.jsonl.partial"
    while not (partial.exists() and partial.stat().st_size):
        assert first.poll() is None
        time.sleep(0.05)
    code, err = ended(running("--output", "other.jsonl", "--resume"))
    first.send_signal(signal.SIGINT)
    assert ended(first)[0] == 130
    assert code == 2
    assert "is being run by another process" in err

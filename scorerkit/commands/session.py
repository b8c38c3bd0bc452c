"""One ``run``: everything is opened and checked before the first record, and closed whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorerkit import __version__
from scorerkit.commands.annotating import annotate_outcome
from scorerkit.commands.data import open_data, selection_of
from scorerkit.commands.dry_run import dry_run
from scorerkit.commands.keeping import Keeping, data_facts, open_keeping
from scorerkit.commands.options import pairs_of
from scorerkit.commands.outcome import exit_code, how_to_resume, say_outcome
from scorerkit.commands.plans import load_plans, prints_aside
from scorerkit.commands.progress import Progress
from scorerkit.commands.words import log_event, tell
from scorerkit.commands.workers import check_options, engine_of
from scorerkit.engine.collecting import collecting_rarely
from scorerkit.errors import Inconclusive, ScorerkitError
from scorerkit.experiment import Options, Runner, new_id
from scorerkit.loader import open_project
from scorerkit.report import check_report_name, write_report
from scorerkit.report.summary import summarise
from scorerkit.report.verdict import parse_tolerance, verdict_of
from scorerkit.results.emitters import file_of, open_emitter
from scorerkit.results.row import EXCLUDABLE, INCLUDABLE, RowMaker
from scorerkit.results.sinks import open_sink
from scorerkit.results.targets import check_targets

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorerkit.dataset import AnyDataset
    from scorerkit.engine import Engine
    from scorerkit.engine.job import Scored
    from scorerkit.judge.limits import Limits
    from scorerkit.model.plan import Plan
    from scorerkit.model.run import ScorerRun
    from scorerkit.report.summary import Experiment
    from scorerkit.results.sinks import Sink
    from scorerkit.settings import Settings
    from scorerkit.store import AnswerCache

    MakeEngine = Callable[[Runner], Engine]

INCONCLUSIVE, INTERRUPTED = 3, 130


class Session:
    """Carries out ``scorerkit run``; ``options`` are those of the command, by name, ``called`` the words as given."""

    def __init__(self, scorers: tuple[str, ...], options: dict[str, Any], called: list[str]) -> None:
        self.words = scorers
        self.called = called
        self.options = options
        self.quiet = options["quiet"]
        self.keeping: Keeping | None = None
        self._runner: Runner | None = None

    def run(self) -> int:
        """Everything from files to exit code."""
        self._check_options()
        settings = self._settings()
        loaded = load_plans(self.words, self.options, settings)
        plans = tuple(one.plan for one in loaded)
        tolerance = parse_tolerance(str(self.options["max_errors"] or settings.config.get("maxErrors") or "0"))
        dataset = open_data(plans, self.options)
        self._check_targets(plans)
        if self.options["dry_run"]:
            dataset.survey()
            return dry_run(plans, dataset)
        self._open_store(settings)
        try:
            limits = self._limits()
            judge = self._judge(plans, settings, limits)
            dataset.survey()
            self._begin(plans, dataset)
            engine = engine_of(loaded, self.options, settings, self.keeping, limits)
            experiment = self._carried_out(plans, dataset, judge, settings, engine)
        except BaseException:
            if self.keeping is not None and (self._runner is None or not self._runner.read):
                self.keeping.abandon()
            raise
        finally:
            if self.keeping is not None:
                self.keeping.close()
        say_outcome(experiment, self.options)
        if experiment.stop_code == "interrupted":
            kept = ", ".join(f"{name}.partial" for name in self.options["output"] if name != "-")
            tell(f"interrupted; what was scored is in {kept}" if kept else "interrupted")
            if again := self._how_to_go_on(experiment):
                tell(again)
            annotate_outcome(INTERRUPTED, ("interrupted",), experiment, self.options)
            return INTERRUPTED
        verdict = verdict_of(experiment, tolerance, self.options["fail_under"])
        code = exit_code(verdict, self.options)
        if verdict.code == INCONCLUSIVE and (again := self._how_to_go_on(experiment)):
            tell(again)
        annotate_outcome(code, verdict.reasons, experiment, self.options)
        return code

    def _carried_out(
        self, plans: tuple[Plan, ...], dataset: AnyDataset, judge: Any, settings: Settings, engine: MakeEngine | None
    ) -> Experiment:
        """The experiment, from the first record to the files it leaves."""
        sinks: list[Sink] = []
        emitters: list[Sink] = []
        try:
            sinks += (open_sink(name) for name in self.options["output"])
            emitters += (open_emitter(name) for name in self.options["emit"])
            with prints_aside(), collecting_rarely():
                experiment = self._score(plans, dataset, judge, (sinks, emitters), settings, engine)
        except BaseException as error:
            for sink in (*sinks, *emitters):
                sink.abort()
            if isinstance(error, Inconclusive) and (again := self._how_to_go_on()):
                error.fix = f"{error.fix}; then {again}" if error.fix else again
            raise
        experiment = replace(experiment, outputs=tuple(self.options["output"]))
        self._finish(sinks, emitters, experiment)
        return experiment

    def _how_to_go_on(self, experiment: Experiment | None = None) -> str | None:
        if self.keeping is None or self.keeping.log is None:
            return None
        return how_to_resume(self.called, self.options, self.keeping.id, experiment)

    # -- before the first record --------------------------------------------------------------------------------

    def _check_options(self) -> None:
        check_options(self.options)
        for name in self.options["report"]:
            check_report_name(name)
        for option, allowed in (("include", INCLUDABLE), ("exclude", EXCLUDABLE)):
            for word in self.options[option]:
                if word not in allowed:
                    message = f"--{option} does not know '{word}'"
                    raise ScorerkitError(message, fix=f"use {', '.join(allowed)}")

    def _check_targets(self, plans: tuple[Plan, ...]) -> None:
        """No file is written twice, or over one that is read."""
        kinds = ("output", "report", "record")
        given = {kind: self.options[kind] or () for kind in kinds}
        given["record"] = [given["record"]] if given["record"] else ()
        data = [self.options["data"]] if self.options["data"] else [plan.data.file for plan in plans if plan.data]
        given["emit"] = [name for target in self.options["emit"] if (name := file_of(target))]
        read = [("the data", name) for name in data]
        read += [("a scorer", plan.source) for plan in plans if plan.source]
        read += [("--replay", str(name)) for name in self.options["replay"]]
        check_targets([(f"--{kind}", str(name)) for kind in given for name in given[kind]], read)

    def _settings(self) -> Settings:
        return open_project(
            self.options["project"],
            judge_model=self.options["judge_model"],
            base_url=self.options["base_url"],
            allow_functions=self.options["allow_function"],
            params=pairs_of("-p", self.options["params"]),
        )

    def _open_store(self, settings: Settings) -> None:
        """The project's store, unless nothing is to be kept."""
        resume = self.options["resume"]
        if not self.options["no_store"]:
            self.keeping = open_keeping(settings, wanted=resume is not None)
        elif resume is not None:
            message = "--resume needs the store, and --no-store leaves it out"
            raise ScorerkitError(message, fix="give one of the two")

    def _begin(self, plans: tuple[Plan, ...], dataset: AnyDataset) -> None:
        """Note the experiment in the store, or find the one that is taken up again."""
        if self.keeping is not None:
            path, selection = selection_of(plans, self.options)
            self.keeping.begin(plans, data_facts(dataset.shown, path, selection), self.options["resume"])

    def _cache(self, settings: Settings) -> AnswerCache | None:
        """Where answers are kept between runs."""
        if self.keeping is None or self.options["no_cache"] or settings.config.get("cache") is False:
            return None
        # A recording made of what the cache leaves over would be full of holes.
        return self.keeping.cache(refresh=self.options["refresh"] or self.options["record"] is not None)

    def _judge(self, plans: tuple[Plan, ...], settings: Settings, limits: Limits | None) -> Any:
        """The judge of all scorers; None where nothing is asked. A missing key is found here."""
        judged = [plan for plan in plans if plan.judged]
        if not judged:
            return None
        from scorerkit.judge import open_judge

        recordings = [Path(name) for plan in judged for name in plan.recordings]
        replay = list(self.options["replay"]) or ([] if self.options["record"] else recordings)
        asks = not replay or self.options["replay_missing"] == "live"
        configs = [config for plan in judged for config in plan.configs.values()]
        if asks and limits is not None:
            limits.require_prices(config.target for config in configs)
        judge = open_judge(
            record=self.options["record"],
            replay=replay or None,
            replay_missing=self.options["replay_missing"],
            cache=self._cache(settings) if asks else None,
            limits=limits,
            log=log_event if self.options["log_json"] else None,
        )
        judge.require_keys(configs)
        return judge

    def _limits(self) -> Limits | None:
        from scorerkit.judge.limits import Limits

        most, budget = self.options["max_requests"], self.options["budget"]
        return None if most is None and budget is None else Limits(most, budget)

    # -- the records ---------------------------------------------------------------------------------------------

    def _score(
        self,
        plans: tuple[Plan, ...],
        dataset: AnyDataset,
        judge: Any,
        targets: tuple[list[Sink], list[Sink]],
        settings: Settings,
        engine: MakeEngine | None,
    ) -> Experiment:
        experiment_id = self.keeping.id if self.keeping is not None else new_id()
        rows = RowMaker(experiment_id, frozenset(self.options["include"]), frozenset(self.options["exclude"]))
        judges = (judge,) * len(plans)
        sinks, emitters = targets

        def emit(scored: Scored, run: ScorerRun | None) -> None:
            line = rows.shown(scored.line, run)
            for sink in sinks:
                sink.write(line)
            for emitter in emitters:
                emitter.write(scored.line)

        options = Options(
            self.options["concurrency"] or settings.config.get("concurrency"),
            not self.options["unordered"],
            self.options["timeout"],
            self.options["fail_fast"],
        )
        with Progress(enabled=not self.quiet) as progress:
            log = self.keeping.log if self.keeping is not None else None
            runner = Runner(plans, dataset, judges, emit, options, progress.update, experiment_id, log, engine)
            self._runner = runner
            try:
                return asyncio.run(_run(runner, judge))
            except (KeyboardInterrupt, asyncio.CancelledError):
                runner.stop("interrupted", "interrupted")
                return runner.experiment()

    # -- after the last record -----------------------------------------------------------------------------------

    def _finish(self, sinks: list[Sink], emitters: list[Sink], experiment: Experiment) -> None:
        interrupted = experiment.stop_code == "interrupted"
        for sink in sinks:
            # A file with its final name would look complete.
            sink.abort() if interrupted else sink.finish()
        if self.options["report"]:
            summary = summarise(experiment, __version__)
            for name in self.options["report"]:
                write_report(name, summary)
        if self.keeping is not None:
            self.keeping.end(experiment)
        for target, emitter in zip(self.options["emit"], emitters, strict=True):
            try:
                emitter.abort() if interrupted else emitter.finish()
            except Inconclusive as error:
                if error.fix is None and self.keeping is not None:
                    error.fix = f"try again: scorerkit export {self.keeping.id} --emit {shlex.quote(target)}"
                raise


async def _run(runner: Runner, judge: Any) -> Experiment:
    task = asyncio.current_task()
    if task is not None and threading.current_thread() is threading.main_thread():
        # Ended by a service manager, a run keeps what it has, as it does after Ctrl-C.
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        return await runner.run()
    finally:
        if judge is not None:
            await judge.close()

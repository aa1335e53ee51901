"""`otsrw classify FILE --inv I --depth K [--predicates P]`: a few constraints for all counterexamples."""

from __future__ import annotations

import argparse
import time
from contextlib import suppress
from pathlib import Path

from otsrw.cli import exits
from otsrw.cli.graphs import Subject, subject_of, write_text
from otsrw.cli.specification import Refused
from otsrw.cli.timing import TimeIsUp, time_limit
from otsrw.ots import Instance
from otsrw.proofs.session import Quit
from otsrw.report.classify import Question, classify_document, classify_page, classify_verdict, print_classification
from otsrw.report.console import Console
from otsrw.report.progress import progress_view
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError, did_you_mean
from otsrw.theory.modules import Module
from otsrw.traces.bounded import BoundedTraces, Engine
from otsrw.traces.classification import Classification, classify
from otsrw.traces.constraints import Predicate, Vocabulary
from otsrw.traces.explicit import ExplicitEngine
from otsrw.traces.predicates import (
    SpecifiedPredicates,
    collected_arguments,
    predicate_operators,
    property_variables,
    slots_named,
)
from otsrw.traces.symbolic import SymbolicEngine


def execute(options: argparse.Namespace) -> int:
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    start = time.perf_counter()
    question, lts, found = Question(engine=options.engine), None, None
    code = exits.HOLDS
    try:
        with time_limit(options.timeout):
            subject = subject_of(options, console, invariant_needed=True)
            vocabulary = _vocabulary(options, console, subject)
            question = _question(options, subject, vocabulary)
            lts = subject.graph.lts
            with progress_view(not options.json and not options.quiet) as view:
                view.task(f"classes of the counterexamples within {options.depth} steps")
                found = classify(_engine(options, subject), vocabulary)
            for example in found.classes:
                subject.graph.confirm(example.representative)
            code = _exit_code(found, subject.graph.cut)
            if options.html is not None:
                spent = time.perf_counter() - start
                write_text(options.html, classify_page(question, subject.graph, found, options.file, spent))
    except TimeIsUp:
        console.problem(BudgetExceeded("E402", f"the time is spent: {options.timeout} s").problem)
        code = exits.UNKNOWN
    except OtsrwError as error:
        console.problem(error.problem)
        code = exits.code_of(error.problem)
    except Refused as refused:
        code = refused.code
    seconds = time.perf_counter() - start
    if options.json:
        console.document(classify_document(question, lts, found, console.problems, seconds))
    elif lts is not None and found is not None:
        print_classification(console, lts, found, options.verbose)
        console.verdict(
            classify_verdict(question, lts, found, seconds, code == exits.UNKNOWN), "red" if code else "green"
        )
    return code


def _engine(options: argparse.Namespace, subject: Subject) -> Engine:
    traces = BoundedTraces(subject.graph.lts, subject.graph.safety, options.depth)
    return SymbolicEngine(traces) if options.engine == "z3" else ExplicitEngine(traces)


def _exit_code(found: Classification, cut: bool) -> int:
    if found.classes or found.unexplained is not None:
        return exits.VIOLATED
    return exits.UNKNOWN if cut else exits.HOLDS


def _question(options: argparse.Namespace, subject: Subject, vocabulary: Vocabulary) -> Question:
    return Question(
        None if subject.invariant is None else subject.invariant.name,
        options.depth,
        tuple(sorted(vocabulary.hidden)),
        tuple(predicate.name for predicate in vocabulary.predicates),
        options.engine,
    )


def _vocabulary(options: argparse.Namespace, console: Console, subject: Subject) -> Vocabulary:
    assert subject.invariant is not None
    instance = subject.instance
    hidden = property_variables(instance, subject.invariant) | _named(options.hide, instance)
    hidden |= collected_arguments(instance)
    hidden -= _named(options.show, instance)
    predicates = tuple(
        predicate for file in options.predicates for predicate in _predicates(file, options.only, console, subject)
    )
    return Vocabulary(predicates, not options.only, not options.only, hidden)


def _named(names: list[str], instance: Instance) -> frozenset[str]:
    found: set[str] = set()
    for name in names:
        slots = slots_named(instance, name)
        if not slots:
            known = [slot.name for slot in instance.slots]
            raise OtsrwError("E519", f"there is no variable {name!r}", hint=did_you_mean(name, known))
        found.update(slots)
    return frozenset(found)


def _predicates(file: str, only: bool, console: Console, subject: Subject) -> list[Predicate]:
    """The predicates of a file; they are summaries unless facts are made of nothing else."""
    module = _module_of(file, console, subject)
    operators = [] if module is None else predicate_operators(module, subject.instance.ots)
    if module is None or not operators:
        hint = f"declare one in a module that imports {subject.specification.ots.name}: op p : Sys Sys -> Bool"
        raise OtsrwError("E532", f"there is no predicate on states in {file!r}", hint=hint)
    specified = SpecifiedPredicates(subject.instance, module, subject.graph)
    return [specified.predicate(operator, summary=not only) for operator in operators]


def _module_of(file: str, console: Console, subject: Subject) -> Module | None:
    """The last module of a file that sees the state sort, loaded after the specification."""
    session = subject.specification.session
    known, before = dict(session.library.modules), len(session.outcome.problems)
    with suppress(Quit):
        session.run_file(Path(file), file)
    problems = session.outcome.problems[before:]
    for problem in problems:
        console.problem(problem)
    if any(problem.is_error for problem in problems):
        raise Refused(exits.BAD_INPUT, problems)
    new = [module for name, module in session.library.modules.items() if known.get(name) is not module]
    state = subject.specification.ots.sort
    candidates = [m for m in new if not m.all_parameters() and state in m.visible_sorts().get(state.name, ())]
    return candidates[-1] if candidates else None

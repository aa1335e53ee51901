"""`otsrw classify FILE --depth K`: a few constraints for all counterexamples of an invariant, labels or a formula."""

from __future__ import annotations

import argparse

from otsrw.application.classifying import ClassifiedSystem, Facts, LargerBound
from otsrw.application.loading import STANDARD_INPUT
from otsrw.application.systems import System, is_specification
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Document, Ending, in_frame, save
from otsrw.cli.pictures import picture_of
from otsrw.cli.systems import claim_of, complained, explored, wrong_use
from otsrw.cli.timing import time_limit
from otsrw.report.class_lasting import ClassLasting, class_lasting_lines
from otsrw.report.classify import Question, classify_document, classify_page, classify_verdict, print_classification
from otsrw.traces.classification import Classification
from otsrw.traces.constraints import Vocabulary
from otsrw.traces.explicit import ExplicitEngine
from otsrw.traces.matching import Match
from otsrw.traces.symbolic import SymbolicEngine

_ENGINES = {"explicit": ExplicitEngine, "z3": SymbolicEngine}


def execute(options: argparse.Namespace) -> int:
    wrong = wrong_use(options)
    if wrong is None and options.inev is None and options.ltl is None and not _means_specification(options):
        wrong = "an .aut file needs --inev or --ltl"
    return in_frame("classify", options, _classify, _failed) if wrong is None else complained(options, wrong)


def _means_specification(options: argparse.Namespace) -> bool:
    """Standard input is a specification: every question has a depth here."""
    return options.file == STANDARD_INPUT or is_specification(options.file)


def _failed(frame: CommandFrame) -> Document:
    question = Question(engine=frame.options.engine)
    return classify_document(question, None, None, frame.console.problems, frame.seconds)


def _asked(frame: CommandFrame) -> ClassifiedSystem:
    options = frame.options
    claim, match = claim_of(options), Match(options.match)
    if not _means_specification(options):
        system = System.read(options.file, claim, match, frame.console.problem)
    else:
        graph = explored(frame, invariant_needed=not (claim.formula or claim.labels))
        system = System.of(graph, claim, match)
    return ClassifiedSystem.of(system, _facts(options), frame.console.problem)


def _classify(frame: CommandFrame) -> Ending:
    options, console = frame.options, frame.console
    with time_limit(options.timeout):
        asked = _asked(frame)
        for problem in asked.system.doubts():
            console.problem(problem)
        vocabulary = asked.vocabulary(_facts(options))
        with frame.progress() as view:
            view.task(f"classes of the counterexamples within {options.depth} steps")
            found = asked.classified(vocabulary, options.depth, _ENGINES[options.engine])
        lasts = _lasts(frame, asked, found)
        found = found.without_images() if options.symmetry else found
        question = _question(options, asked, vocabulary)
        if options.html is not None:
            picture = picture_of(frame, asked.system.lts.observers)
            page = classify_page(question, asked.system, found, lasts, options.file, frame.seconds, picture)
            save(options.html, page)
    code, lts, seconds = _exit_code(found, asked), asked.system.lts, frame.seconds

    def show() -> None:
        print_classification(console, lts, found, options.verbose)
        for line in class_lasting_lines(lasts) if lasts is not None else ():
            console.line(line)
        text = classify_verdict(question, lts, found, seconds)
        console.verdict(text, "red" if code else "green")

    return Ending(code, lambda: classify_document(question, lts, found, console.problems, seconds, lasts), show)


def _lasts(frame: CommandFrame, asked: ClassifiedSystem, found: Classification) -> ClassLasting | None:
    """What a larger bound tells of the classes; None if nobody asks, or if there is no class."""
    options = frame.options
    if options.lasts is None or not found.classes:
        return None
    with frame.progress() as view:
        view.task("the classes with a larger bound")
        bound = LargerBound(options.depth, options.lasts or None, options.max_states, view.graph_progress)
        tried = asked.lasting(found, _facts(options), bound)
    if options.symmetry and tried is not None:
        tried = tried.only([number for number, each in enumerate(found.classes) if each.image_of is None])
    return ClassLasting(tried, options.max_states)


def _exit_code(found: Classification, asked: ClassifiedSystem) -> int:
    if found.classes or found.unexplained is not None:
        return exits.VIOLATED if asked.temporal is None else exits.LIVENESS_VIOLATED
    return exits.UNKNOWN if asked.cut else exits.HOLDS


def _facts(options: argparse.Namespace) -> Facts:
    return Facts(tuple(options.predicates), options.only, tuple(options.show), tuple(options.hide), options.relations)


def _question(options: argparse.Namespace, asked: ClassifiedSystem, vocabulary: Vocabulary) -> Question:
    return Question(
        asked.system.claim,
        options.depth,
        tuple(sorted(vocabulary.hidden)),
        tuple(predicate.name for predicate in vocabulary.predicates),
        options.engine,
        not asked.cut,
    )

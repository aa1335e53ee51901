"""`otsrw classify FILE --inv I --depth K [--predicates P]`: a few constraints for all counterexamples."""

from __future__ import annotations

import argparse

from otsrw.application import Explored
from otsrw.application.classifying import Facts, classified, vocabulary_of
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Document, Ending, in_frame, save
from otsrw.cli.pictures import picture_of
from otsrw.cli.systems import explored
from otsrw.cli.timing import time_limit
from otsrw.report.classify import Question, classify_document, classify_page, classify_verdict, print_classification
from otsrw.traces.classification import Classification
from otsrw.traces.constraints import Vocabulary
from otsrw.traces.explicit import ExplicitEngine
from otsrw.traces.symbolic import SymbolicEngine

_ENGINES = {"explicit": ExplicitEngine, "z3": SymbolicEngine}


def execute(options: argparse.Namespace) -> int:
    return in_frame("classify", options, _classify, _failed)


def _failed(frame: CommandFrame) -> Document:
    question = Question(engine=frame.options.engine)
    return classify_document(question, None, None, frame.console.problems, frame.seconds)


def _classify(frame: CommandFrame) -> Ending:
    options, console = frame.options, frame.console
    with time_limit(options.timeout):
        graph = explored(frame, invariant_needed=True)
        vocabulary = vocabulary_of(graph, _facts(options), console.problem)
        with frame.progress() as view:
            view.task(f"classes of the counterexamples within {options.depth} steps")
            found = classified(graph, vocabulary, options.depth, _ENGINES[options.engine])
            found = found.without_images() if options.symmetry else found
        question = _question(options, graph, vocabulary)
        if options.html is not None:
            picture = picture_of(frame, graph.graph.lts.observers)
            page = classify_page(question, graph.graph, found, options.file, frame.seconds, picture)
            save(options.html, page)
    code, lts, seconds = _exit_code(found, graph.graph.cut), graph.graph.lts, frame.seconds

    def show() -> None:
        print_classification(console, lts, found, options.verbose)
        text = classify_verdict(question, lts, found, seconds)
        console.verdict(text, "red" if code else "green")

    return Ending(code, lambda: classify_document(question, lts, found, console.problems, seconds), show)


def _exit_code(found: Classification, cut: bool) -> int:
    if found.classes or found.unexplained is not None:
        return exits.VIOLATED
    return exits.UNKNOWN if cut else exits.HOLDS


def _facts(options: argparse.Namespace) -> Facts:
    return Facts(tuple(options.predicates), options.only, tuple(options.show), tuple(options.hide), options.relations)


def _question(options: argparse.Namespace, graph: Explored, vocabulary: Vocabulary) -> Question:
    return Question(
        None if graph.invariant is None else graph.invariant.name,
        options.depth,
        tuple(sorted(vocabulary.hidden)),
        tuple(predicate.name for predicate in vocabulary.predicates),
        options.engine,
        not graph.graph.cut,
    )

"""Runs and labelled transition systems: what a counterexample is made of, and what explains it.

This room knows nothing of specifications: an `Lts` is integers, labels and values of observers, wherever it came from.

    >>> from otsrw.traces import ActionSequence, Lts, simplify_inevitability
    >>> lts = Lts.of(4, [0], [(0, "S", 1), (1, "A", 2), (1, "B", 3)])
    >>> result = simplify_inevitability(lts, ActionSequence.of(lts, ["A"]))
    >>> [(found.state, str(found.type)) for found in result.neighbourhoods]
    [(1, 'GR')]
    >>> str(result.counterexample.trace(lts).states[-1].label)
    'B'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from otsrw.on_demand import entries

if TYPE_CHECKING:
    from otsrw.traces.bounded import BoundedTraces, Engine
    from otsrw.traces.claims import Claim
    from otsrw.traces.classification import Classification, CounterexampleClass, Unexplained, classify
    from otsrw.traces.colours import Colour, NeighbourhoodType, Tags
    from otsrw.traces.constraints import Moment, TraceConstraint, TracePredicate, Vocabulary
    from otsrw.traces.counterexamples import shortest_counterexample, shortest_path
    from otsrw.traces.explicit import ExplicitEngine
    from otsrw.traces.exploration import Answer, FocusView, Possibility, apply
    from otsrw.traces.explorer import Explorer
    from otsrw.traces.formats import LtsProblem, read_aut, read_itf, read_lts, render_lts, write_itf
    from otsrw.traces.lts import Lts, Path
    from otsrw.traces.matching import ActionSequence, Match, split_labels
    from otsrw.traces.neighbourhoods import Incoming, Neighbourhood, neighbourhoods_of
    from otsrw.traces.product import Anything, Inevitability, Monitor, Product, Safety
    from otsrw.traces.simplification import Simplification, simplify_inevitability, simplify_safety, simplify_temporal
    from otsrw.traces.situations import ExplorationTables, NothingToExplore, Situation
    from otsrw.traces.symbolic import SymbolicEngine
    from otsrw.traces.trace import Label, Trace, TraceState, Value
    from otsrw.traces.verbs import VERBS, Verb, VerbName, read_verb, script_commands
else:
    __getattr__ = entries(
        __name__,
        bounded="BoundedTraces Engine",
        claims="Claim",
        classification="Classification CounterexampleClass Unexplained classify",
        colours="Colour NeighbourhoodType Tags",
        constraints="Moment TraceConstraint TracePredicate Vocabulary",
        counterexamples="shortest_counterexample shortest_path",
        explicit="ExplicitEngine",
        exploration="Answer FocusView Possibility apply",
        explorer="Explorer",
        formats="LtsProblem read_aut read_itf read_lts render_lts write_itf",
        lts="Lts Path",
        matching="ActionSequence Match split_labels",
        neighbourhoods="Incoming Neighbourhood neighbourhoods_of",
        product="Anything Inevitability Monitor Product Safety",
        simplification="Simplification simplify_inevitability simplify_safety simplify_temporal",
        situations="ExplorationTables NothingToExplore Situation",
        symbolic="SymbolicEngine",
        trace="Label Trace TraceState Value",
        verbs="VERBS Verb VerbName read_verb script_commands",
    )

__all__ = [
    "VERBS",
    "ActionSequence",
    "Answer",
    "Anything",
    "BoundedTraces",
    "Claim",
    "Classification",
    "Colour",
    "CounterexampleClass",
    "Engine",
    "ExplicitEngine",
    "ExplorationTables",
    "Explorer",
    "FocusView",
    "Incoming",
    "Inevitability",
    "Label",
    "Lts",
    "LtsProblem",
    "Match",
    "Moment",
    "Monitor",
    "Neighbourhood",
    "NeighbourhoodType",
    "NothingToExplore",
    "Path",
    "Possibility",
    "Product",
    "Safety",
    "Simplification",
    "Situation",
    "SymbolicEngine",
    "Tags",
    "Trace",
    "TraceConstraint",
    "TracePredicate",
    "TraceState",
    "Unexplained",
    "Value",
    "Verb",
    "VerbName",
    "Vocabulary",
    "apply",
    "classify",
    "neighbourhoods_of",
    "read_aut",
    "read_itf",
    "read_lts",
    "read_verb",
    "render_lts",
    "script_commands",
    "shortest_counterexample",
    "shortest_path",
    "simplify_inevitability",
    "simplify_safety",
    "simplify_temporal",
    "split_labels",
    "write_itf",
]

"""What `otsrw simplify` found, as a JSON document, as text for a terminal, and as a page."""

from __future__ import annotations

from itertools import chain
from typing import IO, TYPE_CHECKING, Any

from otsrw.report.causes import causes_document, causes_lines
from otsrw.report.decisions import (
    decided_text,
    groups_document,
    groups_table,
    runs_document,
    runs_lines,
    size_text,
    turning_document,
    turning_labels,
    turning_lines,
)
from otsrw.report.documents import header, problems_document
from otsrw.report.lasting import lasting_document, lasting_lines
from otsrw.report.words import counted
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.traces.claims import Claim
from otsrw.traces.colours import Colour
from otsrw.traces.decisions import DecisionGroup
from otsrw.traces.explanation import Explanation
from otsrw.traces.inevitability import EnrichedLts
from otsrw.traces.lts import Path
from otsrw.traces.neighbourhoods import Neighbourhood
from otsrw.traces.simplification import Simplification
from otsrw.traces.unfolding import Unfolding

if TYPE_CHECKING:
    from otsrw.report.pictures import StatePicture

GAP = "[...]"
MAX_LISTED = 20
MAX_OPEN = 6
MAX_ACTIONS = 100
_STYLES = {Colour.CORRECT: "bold green", Colour.INCORRECT: "italic red", Colour.NEUTRAL: ""}
_LETTERS = {Colour.CORRECT: "+", Colour.INCORRECT: "-", Colour.NEUTRAL: "", Colour.UNREACHED: "", Colour.UNKNOWN: "?"}
_COUNTED = (Colour.CORRECT, Colour.INCORRECT, Colour.NEUTRAL, Colour.UNKNOWN)


def claim_document(claim: Claim) -> dict[str, Any]:
    if claim.formula is not None:
        return {"kind": "temporal", "formula": claim.formula, "fair": list(claim.fair)}
    if claim.invariant is not None:
        return {"kind": "safety", "invariant": claim.invariant}
    return {"kind": "inevitability", "labels": list(claim.labels)}


def simplify_document(
    explained: Explanation | None,
    claim: Claim,
    problems: list[Diagnostic],
    seconds: float,
    show_prefixes: bool = False,
) -> dict[str, Any]:
    document = header("simplify") | {"property": claim_document(claim)}
    if explained is not None:
        result = explained.result
        document |= _result_document(explained)
        if show_prefixes and result.enriched is not None:
            document["prefixes"] = _prefixes_document(result.enriched)
        if explained.why is not None:
            document["why"] = causes_document(result, explained.why)
        if explained.runs is not None:
            document["runs"] = runs_document(result.lts, explained.runs)
        if explained.lasts is not None:
            document["lasts"] = lasting_document(result, explained.lasts)
    return document | problems_document(problems) | {"seconds": round(seconds, 6)}


def _result_document(explained: Explanation) -> dict[str, Any]:
    result = explained.result
    lts, path = result.lts, result.counterexample
    return {
        "verdict": result.verdict,
        "states": lts.states,
        "frontier": len(lts.frontier),
        "transitions": len(lts.sources),
        "unreached": result.unreached,
        "product": None if result.unfolding is None else _product_document(result.unfolding),
        "colours": {c.word: result.count(c) for c in _COUNTED},
        "neighbourhoods": [
            {
                **_state_document(result, found.state),
                "type": str(found.type),
                "incoming": [_transition(result, t) for t in found.incoming],
                "outgoing": [_transition(result, t) for t in found.outgoing],
            }
            for found in result.neighbourhoods
        ],
        "groups": groups_document(explained),
        "counterexample": None if path is None else path.trace(lts).to_document(),
        "shortest": None if path is None else result.shortest,
        "abstracted": [GAP if item is None else item for item in abstracted_labels(result)],
        "turning_points": turning_document(explained),
        "distances": list(result.distances),
        "path_to_neighbourhood": None
        if result.path_to_neighbourhood is None
        else _system_path(result, result.path_to_neighbourhood).trace(lts).to_document(),
    }


def _product_document(unfolding: Unfolding) -> dict[str, Any]:
    return {
        "states": unfolding.lts.states,
        "transitions": len(unfolding.lts.sources),
        "memories": list(unfolding.texts),
    }


def _state_document(result: Simplification, state: int) -> dict[str, Any]:
    """A state of the system, and the number of what the formula remembers there."""
    unfolding = result.unfolding
    if unfolding is None:
        return {"state": state}
    return {"state": unfolding.states[state], "memory": unfolding.memories[state]}


def _system_path(result: Simplification, path: Path) -> Path:
    return path if result.unfolding is None else result.unfolding.system_path(path)


def _transition(result: Simplification, transition: int) -> dict[str, Any]:
    coloured, unfolding = result.coloured, result.unfolding
    source, target = coloured.sources[transition], coloured.targets[transition]
    document = {
        "source": source if unfolding is None else unfolding.states[source],
        "label": coloured.label(transition),
        "target": target if unfolding is None else unfolding.states[target],
        "colour": Colour(result.colours[transition]).word,
    }
    if unfolding is None:
        return document
    return document | {"memories": [unfolding.memories[source], unfolding.memories[target]]}


def _prefixes_document(enriched: EnrichedLts) -> list[dict[str, Any]]:
    return [
        {"state": state, **values}
        for state in range(enriched.lts.states)
        if (values := _affixes(enriched, state)) is not None
    ]


def _affixes(enriched: EnrichedLts, state: int) -> dict[str, list[str]] | None:
    """The four sequences of a state that some run reaches."""
    names, n = list(enriched.sequence.names), len(enriched.sequence)
    if enriched.cp[state] < 0:
        return None
    return {
        "cp": names[: enriched.cp[state]],
        "mp": names[: enriched.mp[state]],
        "cs": names[n - enriched.cs[state] :],
        "ms": names[n - enriched.ms[state] :],
    }


def abstracted_labels(result: Simplification) -> list[str | None]:
    """The labels that the abstracted counterexample keeps; None stands for a gap."""
    path = result.counterexample
    items: list[str | None] = []
    for stretch in result.abstracted if path is not None else ():
        steps = range(stretch.first, stretch.last + 1)
        items += [result.lts.label(path.transitions[step]) for step in steps] if path and stretch.kept else [None]
    return items


def print_simplification(explained: Explanation, stream: IO[str], verbose: bool, show_prefixes: bool) -> None:
    """Print tables and runs to a stream, but not the verdict."""
    from otsrw.report.console import print_richly

    print_richly(
        stream, 160, lambda console: show_simplification(explained, console, verbose, show_prefixes), highlight=False
    )


def show_simplification(explained: Explanation, console: Any, verbose: bool, show_prefixes: bool) -> None:
    """Print tables and runs on a console of rich, but not the verdict."""
    result = explained.result
    if show_prefixes and result.enriched is not None:
        _print_prefixes(console, result.enriched, verbose)
    if result.neighbourhoods:
        _print_neighbourhoods(console, explained, verbose)
        _print_memories(console, result)
    nearest = result.path_to_neighbourhood
    if nearest is not None:
        console.print(_run("nearest neighbourhood", result, nearest, nearest.transitions, verbose), soft_wrap=True)
    if result.counterexample is not None:
        title = "counterexample" if result.shortest else "counterexample (there may be a shorter one)"
        console.print(_run(title, result, result.counterexample, result.taken, verbose), soft_wrap=True)
        console.print(_gapped("abstracted", abstracted_labels(result)), soft_wrap=True)
        if explained.turning:
            console.print(_gapped("turning points", turning_labels(explained)), soft_wrap=True)
    for line in _told(explained):
        console.print(line, soft_wrap=True, markup=False)


def _told(explained: Explanation) -> list[str]:
    """What is told in sentences."""
    result = explained.result
    lines = [f"  {line}" for line in turning_lines(explained)]
    lines += [] if explained.why is None else causes_lines(result, explained.why)
    lines += [] if explained.runs is None else runs_lines(result.lts, explained.runs)
    return lines + ([] if explained.lasts is None else lasting_lines(result, explained.lasts))


def _print_neighbourhoods(console: Any, explained: Explanation, verbose: bool) -> None:
    from otsrw.report.tables import titled

    result, groups = explained.result, groups_table(explained)
    if groups is not None:
        console.print(groups)
        if len(explained.groups) > groups.row_count:
            console.print(f"... and {len(explained.groups) - groups.row_count} more groups (--json has all)")
    on_run = frozenset(result.visited)
    signs = "+ correct, - incorrect, ? unknown" if result.count(Colour.UNKNOWN) else "+ correct, - incorrect"
    table = titled(f"Neighbourhoods ({signs}, * on the counterexample)")
    for heading in ("state", "type", "incoming", "outgoing"):
        table.add_column(heading, overflow="fold")
    listed = result.neighbourhoods
    if not verbose and len(listed) > MAX_LISTED:
        listed = tuple(group.example for group in explained.groups[:MAX_LISTED])
    for found in listed:
        state = f"{result.state_name(found.state)}{'*' if found.state in on_run else ''}"
        arrows = [_arrows(result, found, incoming, verbose) for incoming in (True, False)]
        table.add_row(state, str(found.type), *arrows)
    console.print(table)
    if len(listed) < len(result.neighbourhoods):
        console.print(f"... and {len(result.neighbourhoods) - len(listed)} more (-v lists all)")


def _print_memories(console: Any, result: Simplification) -> None:
    """What the numbers behind the states mean: what the formula still asks for."""
    if result.unfolding is None:
        return
    shown = sorted({result.unfolding.memories[found.state] for found in result.neighbourhoods})
    for memory in shown:
        text = f"state/{memory}: still to do: {result.unfolding.texts[memory]}"
        console.print(text, soft_wrap=True, markup=False)


def _arrows(result: Simplification, found: Neighbourhood, incoming: bool, verbose: bool) -> Any:
    """The transitions into or out of a neighbourhood; of those that decide nothing only the first few."""
    from rich.text import Text

    lts, text = result.coloured, Text()
    every = found.incoming if incoming else found.outgoing
    open_ones = [t for t in every if result.colours[t] not in (Colour.CORRECT, Colour.INCORRECT)]
    hidden = frozenset() if verbose else frozenset(open_ones[MAX_OPEN:])
    for number, transition in enumerate(t for t in every if t not in hidden):
        colour = Colour(result.colours[transition])
        state = result.state_name(lts.sources[transition] if incoming else lts.targets[transition])
        label = lts.label(transition)
        shown = f"{state} {label}" if incoming else f"{_LETTERS[colour]}{label} {state}"
        text.append(", " if number else "").append(shown, style=_STYLES.get(colour, ""))
    return text.append(f" and {len(hidden)} others (-v)") if hidden else text


def _print_prefixes(console: Any, enriched: EnrichedLts, verbose: bool) -> None:
    from rich.text import Text

    from otsrw.report.tables import titled

    table = titled("Prefixes and suffixes")
    for heading in ("state", "common prefix", "max prefix", "common suffix", "max suffix"):
        table.add_column(heading)
    shown = 0
    for state in range(enriched.lts.states):
        values = _affixes(enriched, state)
        if values is None:
            continue
        if not verbose and shown == MAX_LISTED:
            break
        table.add_row(str(state), *(Text(".".join(names) or "-") for names in values.values()))
        shown += 1
    console.print(table)
    if shown == MAX_LISTED and not verbose:
        console.print("... (-v lists all states)")


def _run(title: str, result: Simplification, path: Path, taken: tuple[int, ...], verbose: bool) -> Any:
    """The labels of a run in the colours of the transitions that it takes in the coloured graph."""
    from rich.text import Text

    text = Text(f"{title}: ", style="bold")
    hidden = range(0) if verbose else range(MAX_ACTIONS // 2, path.length - MAX_ACTIONS // 2)
    for step, transition in enumerate(taken):
        if step in hidden:
            text.append(f"[... {len(hidden)} actions, -v shows them ...] " if step == hidden[0] else "", style="dim")
            continue
        if path.loop == step:
            text.append("( ", style="not bold")
        colour = Colour(result.colours[transition])
        text.append(result.coloured.label(transition), style=f"not bold {_STYLES.get(colour, '')}").append(" ")
    if path.loop is not None:
        text.append(") for ever", style="not bold")
    elif not path.transitions:
        text.append("(the initial state)", style="not bold")
    return text


def _gapped(title: str, labels: list[str | None]) -> Any:
    from rich.text import Text

    items = [GAP if item is None else item for item in labels]
    return Text(f"{title}: ", style="bold").append(" ".join(items) or "(no action)", style="not bold")


def _heading(result: Simplification, claim: Claim) -> str:
    if result.unknown:
        return f"Whether {claim} holds is not known"
    if result.holds and _only_before_the_bound(result, claim):
        return f"No violation of {claim} before the bound"
    return f"{claim} {'holds' if result.holds else 'does not hold'}"


def _only_before_the_bound(result: Simplification, claim: Claim) -> bool:
    """Whether an invariant that holds does so as far as the graph goes; other properties hold whatever follows."""
    return bool(result.lts.frontier) and claim.invariant is not None


def simplify_verdict(result: Simplification, claim: Claim, seconds: float, pattern: str | None) -> str:
    lts = result.lts
    size = f"{counted(lts.states, 'state')}, {counted(len(lts.sources), 'transition')}, {seconds:.2f} s"
    if lts.frontier:
        size = f"{counted(len(lts.frontier), 'state')} not expanded; {size}"
    if result.coloured.states != lts.states:
        size = f"product of {counted(result.coloured.states, 'state')}; {size}"
    if result.holds and _only_before_the_bound(result, claim):
        return f"holds: no violation of {claim} before the bound; {size}"
    if result.holds or result.unknown:
        return f"{result.verdict}: {claim}; {size}"
    found = len(result.neighbourhoods)
    parts = [f"violated: {claim}", counted(found, "neighbourhood")]
    if result.counterexample is not None:
        length = counted(result.counterexample.length, "action")
        shortest = "" if result.shortest else ", not known to be the shortest,"
        parts.append(f"counterexample of {length}{shortest} cut to {result.kept}")
    elif pattern is not None:
        parts.append(f"no counterexample shows {pattern}")
    return "; ".join([*parts, size])


def simplify_page(explained: Explanation, claim: Claim, file: str, picture: StatePicture | None = None) -> str:
    from otsrw.report.drawing import counterexample_blocks
    from otsrw.report.html import render_page
    from otsrw.report.pictures import played
    from otsrw.report.state_graph import fitted, state_graph

    result, why = explained.result, explained.why
    lts, path = result.lts, result.counterexample
    positions: dict[int, int] = {}
    for position, state in enumerate(result.visited):
        positions.setdefault(state, position)
    ranked = [found for group in explained.groups for found in (group.example, *chain(*group.orbits))]
    listed = list({found.state: found for found in ranked}.values())
    return render_page(
        "simplify.html",
        file=file,
        property=str(claim),
        why=[] if why is None else causes_lines(result, why),
        heading=_heading(result, claim),
        runs=[] if explained.runs is None else runs_lines(lts, explained.runs),
        lasts=[] if explained.lasts is None else lasting_lines(result, explained.lasts),
        turning=turning_labels(explained),
        turning_lines=turning_lines(explained),
        groups=[_group_row(result, group, positions) for group in explained.groups],
        size=f"{counted(lts.states, 'state')}, {counted(len(lts.sources), 'transition')}",
        correct=result.count(Colour.CORRECT),
        incorrect=result.count(Colour.INCORRECT),
        neutral=result.count(Colour.NEUTRAL),
        unknown=result.count(Colour.UNKNOWN),
        length=None if path is None else path.length,
        kept=result.kept,
        abstracted=abstracted_labels(result),
        blocks=counterexample_blocks(result),
        picture=None if path is None else played(picture, path.trace(lts)),
        graph=state_graph(result),
        fitted=fitted,
        loop_state=None if path is None or path.loop is None else path.states[-1],
        neighbourhoods=result.neighbourhoods,
        memories=() if result.unfolding is None else result.unfolding.texts,
        listed=[
            {
                "state": result.state_name(found.state),
                "position": positions.get(found.state),
                "type": found.type,
                "incoming": [_transition(result, t) for t in found.incoming],
                "outgoing": [_transition(result, t) for t in found.outgoing],
            }
            for found in listed[: 5 * MAX_LISTED]
        ],
    )


def _group_row(result: Simplification, group: DecisionGroup, positions: dict[int, int]) -> dict[str, Any]:
    return {
        "decides": decided_text(group),
        "type": group.type,
        "size": size_text(group),
        "steps": [position + 1 for position in group.positions],
        "position": positions.get(group.example.state),
        "example": result.state_name(group.example.state),
    }

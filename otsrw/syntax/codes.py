"""Every code that a message can carry, with its kind and its meaning: the one place where codes are listed.

Code that reacts to a problem asks for its kind. A code is for people: it is printed, and
`docs/language.md` explains it.
"""

from __future__ import annotations

from enum import Enum

from otsrw.records import NamedTuple


class ProblemKind(Enum):
    """What sort of problem it is. The exit code of a command and every reaction to a problem depend on it alone."""

    SYNTAX = "the text is not of the language"
    UNFINISHED = "the text stops inside a statement: more text may mend it"
    SORT = "a sort is unknown, ambiguous or does not fit"
    THEORY = "a module, view, rule or place is missing or unusable"
    FILE = "a file cannot be read or written"
    BUDGET = "a budget of rewrites or of size is spent"
    TIME = "the time is spent"
    EVALUATION = "a term cannot be evaluated"
    NOTHING_TO_EXPLORE = "no run violates the property"
    SPECIFICATION = "the specification is no usable transition system"
    MISSING_ENTITIES = "a sort that is enumerated has no entities"
    USAGE = "the command was asked for something it cannot do"
    NOT_INSTALLED = "a tool or package is not installed"
    NOT_TRANSLATED = "Maude has no word for a part of the specification"
    DEFECT = "otsrw has made something wrong"
    CHECKER = "CafeOBJ could not confirm a proof score"
    UNSOUND = "the equations do not mean one thing: nothing can be proved from them"
    WARNING = "something is odd, and the work goes on"
    NOTE = "something has no effect: told only if everything is asked for"
    NOT_PORTABLE = "CafeOBJ does not accept this, or reads it in another way"
    LEFT_OUT = "a part of the specification is not part of the transition system"

    @property
    def is_error(self) -> bool:
        """Does a problem of this kind make a run fail?"""
        return self not in _WARNINGS


_WARNINGS = frozenset((ProblemKind.WARNING, ProblemKind.NOTE, ProblemKind.LEFT_OUT, ProblemKind.NOT_PORTABLE))


class CodeMeaning(NamedTuple):
    """The kind that problems with a code have unless they say otherwise, and a line of explanation."""

    kind: ProblemKind
    text: str


CODES: dict[str, CodeMeaning] = {}


def _register(kind: ProblemKind, **meanings: str) -> None:
    CODES.update((code, CodeMeaning(kind, text)) for code, text in meanings.items())


_register(
    ProblemKind.SYNTAX,
    E101="a word is not expected here, or a statement lacks a part (`=`, `if`, `->`, a number, a file name),"
    " or a number is out of range",
    E102="the period after a statement is missing, or glued to the word before it",
    E103="a parenthesis is not closed, or closes nothing",
    E104="a `{` is not closed: the file, or the next module or command, begins too early",
    E105="no such command or declaration",
    E106="a command, declaration or label that otsrw does not support",
    E107="the file is not text",
    E110="the words do not form a term, or there are none",
    E111="unknown operator, variable or identity element",
    E112="a term with several readings, or too many to list",
    E113="wrong number of arguments",
    E114="unknown operator attribute",
    E116="something that CafeOBJ does not accept, or reads in another way (`--portable`)",
    E117="an `inv` or `generate` of something that is no predicate applied to variables",
    E120="the first line of an `.aut` file is not its header",
    E121="a line of an `.aut` file is not a transition",
    E122="an initial state of an `.aut` file that it does not have, or too many states",
    E124="a file name whose ending stands for no format",
    E125="not a trace: ITF or a document that is broken or incomplete",
    E126="a label is missing in a list, or a regular expression is none",
    E128="a formula of temporal logic that is broken or too long",
    E129="a word in a formula that is no observer and no event, or a comparison that makes no sense",
    E130="a run that was given is not one of the system, or violates nothing",
    E131="a state picture that is not SVG, or too big",
    E132="an element of a state picture that is bound to no observer, or not well",
)
_register(
    ProblemKind.SORT,
    E201="no such sort",
    E202="a sort name that several sorts have",
    E203="an argument of an unrelated sort",
    E204="a view does not say where a sort goes",
    E205="an operator whose underscores do not fit its rank, or without a name",
    E206="a sort declared below itself",
    E207="the sides of an axiom are of unrelated sorts",
)
_register(
    ProblemKind.THEORY,
    E301="no such module",
    E302="a module that imports itself",
    E304="in a module expression, view or `attr`: no such parameter or operator, too many arguments,"
    " a pattern that is not of variables",
    E305="a built-in module cannot be redefined",
    E306="no module is open or selected",
    E308="rewriting by hand: no term was started, or there is no such rule, place or variable",
    E309="CITP: no proof, no such goal, tactic, sentence, variable or constructor",
)
_register(
    ProblemKind.FILE,
    E303="a file that does not exist or cannot be read",
    E310="a file of `--state` that is no saved proof of this invariant",
)
_register(
    ProblemKind.BUDGET,
    E401="the budget of rewrites is spent, or a number, string, collection or Boolean formula has grown too large",
)
_register(ProblemKind.TIME, E402="the time is spent")
_register(
    ProblemKind.EVALUATION,
    E403="the evaluation nests too deep",
    E404="the normal form of a term depends on itself",
    E512="an observer has no value in a state",
    E513="an effective condition or an invariant depends on a term without a value",
    E518="Maude stopped",
)
_register(ProblemKind.NOTHING_TO_EXPLORE, E405="nothing to explore: no run violates the property")
_register(
    ProblemKind.SPECIFICATION,
    E501="a hint `-- @ ...` that cannot be read",
    E502="no such module or sort",
    E503="no module is an observational transition system",
    E504="a hint names an invariant that is no state predicate with one defining equation",
    E505="an equation for an observer after a transition that is not understood",
    E506="no initial state",
    E507="a transition does not define an observer",
    E508="two equations disagree about an observer after a transition",
    E510="a formula with too many cases",
    E514="nothing says which values of a parameter to try",
    E515="nothing says which values of a variable of an invariant to try",
    E522="an operator that gives a state takes several, or another sort of them",
    E532="a file of predicates has none",
    E540="a project file `otsrw.toml` that cannot be read",
    E546="entities that do not obey an axiom of a loose module",
)
_register(
    ProblemKind.MISSING_ENTITIES, E509="an index, or the argument of an initial state, of a sort without entities"
)
_register(
    ProblemKind.USAGE,
    E307="a file that cannot be written",
    E127="no such verb of the explorer, or an argument too many or too few",
    E511="entities that are not well given",
    E519="which invariant?",
    E523="fairness, `enabled` or `deadlock` where only a part of the graph is known",
    E524="no proof script for CITP or CiMPA was found",
    E525="a proof score or a script that cannot be converted",
    E541="nothing is expected in the files of a project",
    E542="entities that cannot be taken as interchangeable",
    E543="no cluster at the address given",
    E544="states that cannot be told apart by the entities given",
    E545="options that do not go together",
    E533="a port of this machine cannot be used",
)
_register(ProblemKind.NOT_INSTALLED, E530="a tool or package that was asked for is not installed")
_register(ProblemKind.NOT_TRANSLATED, E516="not translated to Maude")
_register(ProblemKind.DEFECT, E517="Maude rejects the translation")
_register(
    ProblemKind.CHECKER,
    E520="CafeOBJ is not installed",
    E521="CafeOBJ does not accept the proof score",
)
_register(
    ProblemKind.UNSOUND,
    E601="the value of a function depends on the order of equations",
    E602="evaluating a function need not end",
    E603="a function has no value for some arguments",
    E604="a sort of a tight module has values that the module does not build",
    E605="an equation on `=` makes different values equal, or a value different from itself",
    E606="the right side of an equation is not of the sort that the left side promises",
    E607="an equation that is not rewritten with changes values",
    E608="an equation rewrites a truth value or a numeral",
    E609="a state that is no initial state and no step from one",
    E611="a proof score leaves out a case, or a reduction of it does not give true",
    E612="a file that is to be a proof score has no passage about a step of an OTS",
)
_register(
    ProblemKind.WARNING,
    W108="a declaration outside any module or passage, which is ignored",
    W112="an ambiguous axiom; its first reading is taken",
    W115="what a `parse` command is given is no term, or several: that is its answer",
    W123="an `.aut` file has not as many transitions or states as its header says",
    W126="a label of the property that no transition has",
    W129="a value that no state has, or an event that never happens",
    W208="a variable declared again with another sort; the first stays",
    W301="a module is redefined",
    W303="a file that is being loaded is loaded again; skipped",
    W304="`open` while a passage is open, or `close` without one; in an editor also a passage that is never closed",
    W305="a view is redefined",
    W306="a view does not say where an operator goes",
    W308="the rule of an `apply` does not apply at its place",
    W401="an axiom whose left side is a variable; not used",
    W402="an axiom with unbound variables; not used",
    W403="a behavioural equation with an operator on a state that is neither behavioural nor coherent; not used",
    W502="an observer is not defined initially",
    W503="an effective condition is not used",
    W504="an operator on states has no equation",
    W505="an index of a sort without entities (`ots`)",
    W508="a hint `-- @ frame` for a module that is no OTS, which does nothing",
    W541="a transition is never enabled in the states that were searched",
    W542="a transition is enabled, and never changes anything in the states that were searched",
    W543="the left side of an implication is never true in the states that were searched",
    W544="an observer never changes in the states that were searched",
    W545="a state can be reached in which no transition is enabled",
    W546="a part of a state picture that was left out, or a picture that was not used",
    W531="a graph was cut off: it has more states than may be expanded",
    W601="not shown that the order of equations does not matter",
    W602="not shown that evaluating a function ends",
    W603="not shown that a function always has a value",
    W604="not shown that a tight module builds all values of its sort",
    W605="not shown that an equation on `=` compares values",
    W606="not shown that the right side of an equation is of the sort that the left side promises",
    W607="not shown that an equation that is not rewritten with changes no value",
    W608="a conditional equation rewrites a truth value or a numeral",
    W609="not shown that all states are generated",
    W701="CITP: CafeOBJ closes a goal that is not proved; it stays open",
    W702="CITP: a step takes something for granted",
    W703="CITP: a command that does nothing, or forgets something",
    W610="an equation looks at how terms are written: no proof can rely on it",
    W611="not shown that a proof score leaves out no case",
    W612="a passage of a proof score shows nothing general, so it counts for no case",
    W613="an equation compares by `==`: a proof reads `=`",
)
_register(
    ProblemKind.NOTE,
    W106="a command or switch without effect (shown with `-v`)",
    W205="`assoc`, `comm` or `idem` on an operator that is not binary (shown with `-v`)",
    W207="in a passage: an operator of this rank exists already (shown with `-v`)",
)
_register(ProblemKind.LEFT_OUT, W506="an operator that abbreviates transitions and is no step of its own")
_register(
    ProblemKind.NOT_PORTABLE,
    W113="a conditional equation whose right side is an `if` without parentheses, which CafeOBJ refuses",
    W118="a way of writing that CafeOBJ refuses, as `var X Y`, `{assoc, comm}`, `owise`, `open M` without a period",
)

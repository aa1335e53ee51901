"""Named tuples and data classes of otsrw are like those of Python's library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
import typing
from pathlib import Path

import pytest

from otsrw import records


class Ours(records.NamedTuple):
    """A point."""

    x: int
    y: int = 2
    name: str | None = None

    @property
    def total(self) -> int:
        return self.x + self.y

    def __str__(self) -> str:
        return f"<{self.x}>"


class Theirs(typing.NamedTuple):
    x: int
    y: int = 2
    name: str | None = None


def test_it_is_a_tuple_with_names_and_defaults() -> None:
    record = Ours(1, name="a")
    assert tuple(record) == (1, 2, "a")
    assert (record._asdict(), copy.copy(record)) == ({"x": 1, "y": 2, "name": "a"}, record)
    assert repr(record) == repr(Theirs(1, name="a")).replace("Theirs", "Ours")
    assert record._replace(x=5).total == 7
    assert str(record) == "<1>"


@pytest.mark.parametrize("attribute", ["_fields", "_field_defaults", "__match_args__"])
def test_it_describes_itself_as_those_of_typing_do(attribute: str) -> None:
    assert getattr(Ours, attribute) == getattr(Theirs, attribute)


def test_its_class_is_found_again() -> None:
    assert (Ours.__module__, Ours.__qualname__, Ours.__doc__) == (__name__, "Ours", "A point.")
    assert pickle.loads(pickle.dumps(Ours(1))) == Ours(1)


def test_missing_and_unknown_fields_are_refused() -> None:
    with pytest.raises(TypeError, match=r"Ours\.__new__\(\) missing .* 'x'"):
        Ours()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Ours(1, z=3)  # type: ignore[call-arg]


MANY = 30


@pytest.mark.parametrize("count", range(MANY))
def test_records_may_have_any_number_of_fields(count: int) -> None:
    names = [f"f{number}" for number in range(count)]
    values = [object() for _ in names]
    body = {"__annotations__": dict.fromkeys(names, "object"), "__module__": __name__, "__qualname__": "Wide"}
    last: dict[str, object] = {names[-1]: None} if names else {}
    maker: typing.Any = type(records.NamedTuple)
    made = [
        maker("Wide", (), {**body, **last}),
        records.dataclass(frozen=True, slots=True)(type("Wide", (), {**body, **last})),
        records.dataclass(slots=True)(type("Wide", (), {**body, **last})),
    ]
    for wide in made:
        for _ in range(2):  # the first call may compile the constructor
            record = wide(*values)
            assert [getattr(record, name) for name in names] == values
            assert wide(**dict(zip(names, values, strict=True))) == record
            if names:
                assert getattr(wide(*values[:-1]), names[-1]) is None
            with pytest.raises(TypeError):
                wide(*values, 1)


def test_all_rooms_make_their_records_here() -> None:
    """A data class of otsrw cannot extend one of Python's library, and it would be slow to make.

    The process that asks Maude imports nothing of otsrw.
    """
    slow = re.compile(
        r"^from (dataclasses import .*\b(dataclass|field|replace)\b|typing import .*\bNamedTuple\b)", re.M
    )
    folder = Path(records.__file__).parent
    texts = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.py")}
    found = [name for name, text in texts.items() if slow.search(text)]
    assert [name for name in found if not name.startswith("search/maude_worker/")] == []


# --- data classes


class Base:
    __slots__ = ()

    def __repr__(self) -> str:
        return "short"


@records.dataclass(frozen=True, slots=True)
class Point:
    """A place."""

    kind: typing.ClassVar[str] = "plane"
    x: int
    y: int = 2
    names: list[str] = records.field(default_factory=list)

    @property
    def total(self) -> int:
        return self.x + self.y


@records.dataclass(frozen=True, slots=True)
class Place(Point):
    z: int = 0


@records.dataclass(frozen=True, eq=False, repr=False, slots=True)
class Plain(Base):
    x: int


@records.dataclass(eq=False, slots=True)
class Mutable:
    x: int = 1


@records.dataclass(frozen=True)
class Open:
    x: tuple[int, ...] = ()


@records.dataclass(frozen=True, slots=True)
class Empty:
    pass


def test_a_data_class_has_fields_defaults_and_new_values_for_every_object() -> None:
    first, second = Point(1), Point(1, names=["a"])
    assert (first.x, first.y, first.names, first.total) == (1, 2, [], 3)
    assert first.names is not Point(1).names
    assert (second.names, Point.kind, Point.__doc__) == (["a"], "plane", "A place.")
    assert repr(second) == "Point(x=1, y=2, names=['a'])"


def test_data_classes_inherit_fields() -> None:
    place = Place(1, 5, z=7)
    assert (place.total, place.z, Place.__match_args__) == (6, 7, ("x", "y", "names", "z"))
    assert vars(Place)["__slots__"] == ("z",)


def test_equal_values_make_equal_data_classes() -> None:
    assert Open((1,)) == Open((1,)) != Open((2,))
    assert {Open((1,)), Open((1,))} == {Open((1,))}
    assert Point(1) != Place(1)
    assert Empty() == Empty()
    assert hash(Empty()) == hash(Empty())
    assert Plain(1) != Plain(1)
    assert len({Plain(1), Plain(1)}) == 2


def test_what_a_class_defines_itself_is_kept() -> None:
    assert repr(Plain(1)) == "short"


@pytest.mark.parametrize("record", [Point(1), Plain(1), Open(), Place(1)])
def test_a_frozen_data_class_refuses_changes(record: typing.Any) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.x = 5
    with pytest.raises(dataclasses.FrozenInstanceError):
        del record.x


def test_others_can_be_changed_and_have_no_further_attributes() -> None:
    record = Mutable()
    record.x = 5
    assert record.x == 5
    with pytest.raises(AttributeError):
        record.y = 1  # type: ignore[attr-defined]


def test_a_changed_copy() -> None:
    for change in (records.replace, dataclasses.replace):
        assert change(Place(1, z=4), y=9) == Place(1, 9, z=4)
        with pytest.raises(TypeError):
            change(Place(1), w=3)


def test_data_classes_travel() -> None:
    for record in (Place(1, names=["a"]), Open((1, 2))):
        assert pickle.loads(pickle.dumps(record)) == record
        assert copy.copy(record) == record


def test_the_library_knows_their_fields() -> None:
    assert dataclasses.is_dataclass(Point)
    assert dataclasses.asdict(Place(1, names=["a"])) == {"x": 1, "y": 2, "names": ["a"], "z": 0}
    assert [field.name for field in dataclasses.fields(Point)] == ["x", "y", "names"]


def test_wrong_arguments_are_refused_every_time() -> None:
    for _ in range(2):
        with pytest.raises(TypeError, match=r"Place\.__init__\(\) missing .* 'x'"):
            Place()  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            Mutable(y=3)  # type: ignore[call-arg]

"""Named tuples and data classes that are made in a fraction of the time that those of Python's library take.

Starting a command makes hundreds of them. The library compiles every annotation of a named tuple, and five or six
methods of every data class; that was a third of the time in which `otsrw prove` starts. Here only the constructor of a
data class is compiled, when the first one is made. Type checkers see the classes and functions of the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple", "dataclass", "field", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import NamedTuple
else:
    from collections import namedtuple
    from operator import attrgetter

    _NOT_COPIED = frozenset(("__annotations__", "__module__", "__qualname__"))

    class _RecordMaker(type):
        """Makes a named tuple of the class statement of a subclass of `NamedTuple`."""

        def __new__(cls, name: str, _bases: tuple[type, ...], body: dict[str, Any]) -> type:
            fields = body.get("__annotations__", {})
            defaults = [body[field] for field in fields if field in body]
            record = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            record.__annotations__ = fields
            record.__qualname__ = body["__qualname__"]
            for key, value in body.items():
                if key not in fields and key not in _NOT_COPIED:
                    setattr(record, key, value)
            return record

    NamedTuple = type.__new__(_RecordMaker, "NamedTuple", (), {})

    # --- data classes

    _NOTHING = object()

    class _Factory:
        """Says that a field begins with a new value for every object."""

        __slots__ = ("make",)

        def __init__(self, make: Any) -> None:
            self.make = make

    def field(*, default_factory: Any) -> Any:
        """A field whose default is made anew for every object."""
        return _Factory(default_factory)

    class _Fields:
        """The fields of a data class, with their annotations and defaults; for Python's library when it asks."""

        def __init__(self, annotations: dict[str, str], defaults: dict[str, Any]) -> None:
            self.annotations = annotations
            self.defaults = defaults
            self.described: dict[str, Any] = {}

        def __get__(self, _instance: object, _owner: type) -> dict[str, Any]:
            if not self.described:
                self.described = self._describe()
            return self.described

        def _describe(self) -> dict[str, Any]:
            import dataclasses

            described: dict[str, Any] = {}
            for name, annotation in self.annotations.items():
                default = self.defaults.get(name, dataclasses.MISSING)
                given = {"default_factory": default.make} if isinstance(default, _Factory) else {"default": default}
                each = described[name] = dataclasses.field(**given)
                each.name, each.type, each._field_type = name, annotation, dataclasses._FIELD  # noqa: SLF001
            return described

    def dataclass(*, eq: bool = True, frozen: bool = False, repr: bool = True, slots: bool = False) -> Any:
        """As the decorator of Python's library, for annotations that are not evaluated and these options."""

        def made(cls: type) -> type:
            fields = _fields_of(cls)
            methods: dict[str, Any] = {"__match_args__": tuple(fields.annotations)}
            if repr:
                methods["__repr__"] = _repr
            if eq:
                methods |= _comparing(methods["__match_args__"], frozen)
            for name, method in methods.items():
                if name not in cls.__dict__:
                    setattr(cls, name, method)
            cls.__dataclass_fields__ = fields
            if frozen:
                cls.__setattr__ = cls.__delattr__ = _refuse
            if slots:
                cls = _with_slots(cls, fields)
                cls.__getstate__, cls.__setstate__ = _state, _set_state
            if "__init__" not in cls.__dict__:
                cls.__init__ = _first_constructor(cls, fields, frozen)
            return cls

        return made

    def _fields_of(cls: type) -> _Fields:
        annotations: dict[str, str] = {}
        defaults: dict[str, Any] = {}
        for base in cls.__mro__[-1:0:-1]:
            inherited = base.__dict__.get("__dataclass_fields__")
            if inherited is not None:
                annotations |= inherited.annotations
                defaults |= inherited.defaults
        for name, annotation in cls.__dict__.get("__annotations__", {}).items():  # noqa: RUF063 (inspect is slow to import)
            if not annotation.partition("[")[0].endswith("ClassVar"):
                annotations[name] = annotation
                if name in cls.__dict__:
                    defaults[name] = cls.__dict__[name]
        return _Fields(annotations, defaults)

    def _comparing(names: tuple[str, ...], frozen: bool) -> dict[str, Any]:
        values = attrgetter(*names) if names else type

        def __eq__(self: Any, other: object) -> Any:
            return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

        def __hash__(self: Any) -> int:
            return hash(values(self))

        return {"__eq__": __eq__, "__hash__": __hash__ if frozen else None}

    def _repr(self: Any) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__qualname__}({shown})"

    def _refuse(self: object, name: str, _value: object = None) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"{type(self).__name__}.{name} cannot be changed")

    def _state(self: Any) -> list[Any]:
        return [getattr(self, name) for name in self.__match_args__]

    def _set_state(self: Any, state: list[Any]) -> None:
        for name, value in zip(self.__match_args__, state, strict=True):
            object.__setattr__(self, name, value)

    def _with_slots(cls: type, fields: _Fields) -> type:
        """The class anew: slots cannot be added to one that exists."""
        inherited = {slot for base in cls.__mro__[1:] for slot in base.__dict__.get("__slots__", ())}
        body = {name: value for name, value in cls.__dict__.items() if name not in fields.annotations}
        for name in ("__dict__", "__weakref__"):
            body.pop(name, None)
        body["__slots__"] = tuple(name for name in fields.annotations if name not in inherited)
        anew = type(cls)(cls.__name__, cls.__bases__, body)
        anew.__qualname__ = cls.__qualname__
        return anew

    def _first_constructor(cls: type, fields: _Fields, frozen: bool) -> Any:
        """A constructor that compiles the one of the class, and is replaced by it."""

        def __init__(self: object, *args: Any, **kwargs: Any) -> None:
            constructor = _constructor(cls, fields, frozen)
            cls.__init__ = constructor
            constructor(self, *args, **kwargs)

        return __init__

    def _constructor(cls: type, fields: _Fields, frozen: bool) -> Any:
        known: dict[str, Any] = {"_set": object.__setattr__, "_nothing": _NOTHING}
        parameters, body = ["self"], []
        for name in fields.annotations:
            value = name
            default = fields.defaults.get(name, _NOTHING)
            if isinstance(default, _Factory):
                known[f"_make_{name}"] = default.make
                parameters.append(f"{name}=_nothing")
                value = f"_make_{name}() if {name} is _nothing else {name}"
            elif default is not _NOTHING:
                known[f"_default_{name}"] = default
                parameters.append(f"{name}=_default_{name}")
            else:
                parameters.append(name)
            body.append(f" _set(self, {name!r}, {value})" if frozen else f" self.{name} = {value}")
        text = "\n".join([f"def __init__({', '.join(parameters)}):", *(body or [" pass"])])
        exec(text, known)
        constructor = known["__init__"]
        constructor.__qualname__ = f"{cls.__qualname__}.__init__"
        constructor.__module__ = cls.__module__
        return constructor

    def replace(record: Any, /, **changes: Any) -> Any:
        """A data class like this one, with other values for some fields."""
        for name in record.__match_args__:
            if name not in changes:
                changes[name] = getattr(record, name)
        return type(record)(**changes)

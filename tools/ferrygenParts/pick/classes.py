"""What the page shows of a selection: its views, and the fields of classes, which are looked up when somebody opens them."""
import hashlib
import os

from ferrygenParts.fields import ClassFields, placeOf
from ferrygenParts.output import headerText
from ferrygenParts.parsing import Parsed
from ferrygenParts.problem import Problem
from ferrygenParts.rules import Rules, whyUnreachable
from ferrygenParts.selection import readSelection, selectionOf
from ferrygenParts.types import Types, typeText


def digestOf(text):
    return hashlib.sha256(text.encode()).hexdigest()


class PickedClasses:
    """A selection and its classes at the time when it was read. Classes have numbers, which are valid for this reading only."""

    def __init__(self, cindex, path, flags):
        self.cindex, self.path, self.flags = cindex, path, flags
        self.folder = os.path.dirname(os.path.abspath(path))
        self.known = []    # (type, text), indexed by number
        with open(path, encoding="utf-8", newline="") as file:
            self.text = file.read()
        self.selection = readSelection(path)
        self.parsed = self.parse(self.selection)
        self.classFields = ClassFields(cindex)
        self.types = Types(cindex, self.classFields, [])

    def parse(self, selection):
        return Parsed(self.cindex, selection.headers, selection.wantedTypes(), self.folder, self.flags, selection.headersPlace)

    def state(self):
        return {"path": self.path, "digest": digestOf(self.text), "headers": self.selection.headers, "namespace": self.selection.namespace,
                "views": [self.viewState(view) for view in self.selection.views]}

    def viewState(self, view):
        """Returns the view with each field under the first of its names."""
        type_ = self.parsed.types[view.type]
        names = {}
        try:
            fields = self.classFields.of(type_, view.type)
        except Problem:
            fields = []    # the page shows the error at the class
        for field in fields:
            names.setdefault(field.qualifiedName, field.name)
        names.update({field.name: field.name for field in fields})

        def byName(table):
            return {names.get(name, name): value for name, value in table.items()}
        return {"name": view.name, "type": view.type, "class": self.numberOf(type_, view.type), "default": view.isDefault,
                "send": [{"field": names.get(name, name), "type": stated} for name, stated in view.send],
                "skip": [names.get(name, name) for name in view.skip], "inside": byName(view.inside),
                "length": byName(view.length), "one_of": byName(view.oneOf), "pointer": byName(view.pointer),
                "memory": byName(view.memory)}

    def numberOf(self, type_, text):
        for number, (known, _) in enumerate(self.known):
            if known == type_:
                return number
        self.known.append((type_, text))
        return len(self.known) - 1

    def classState(self, number):
        """Returns the fields of a class. Errors: IndexError for an unknown number."""
        if number < 0:
            raise IndexError(number)
        type_, text = self.known[number]
        state = {"class": number, "text": text, "bytes": type_.get_size(), "place": placeOf(type_.get_declaration()), "fields": []}
        try:
            state["fields"] = [self.fieldState(field) for field in self.classFields.of(type_, text)]
        except Problem as problem:
            state["problem"] = str(problem)
        return state

    def fieldState(self, field):
        leaf, layers = self.types.peel(field.type)
        says = []
        isPointer = self.types.isPointer(leaf)
        isSmart = bool(layers) and layers[-1] in ("std::unique_ptr", "std::shared_ptr")
        if isPointer:
            leaf = self.types.pointee(leaf)
        isClass = self.isOpened(leaf)
        if isClass:
            says.append("inside")
        if isPointer or "*[]" in layers:
            says.append("length")
        if isPointer:
            says.append("memory")
        if isPointer or isSmart:
            says.append("pointer")
            if self.mayBeDerived(leaf):
                says.append("one_of")
        notes = [field.access]
        if field.isBitField:
            notes.append(f"bit-field of {field.cursor.get_bitfield_width()}")
        if field.union is not None:
            notes.append("alternative of a union")
        return {"name": field.name, "type": typeText(field.type), "notes": notes, "comment": field.cursor.brief_comment or "",
                "place": field.place, "class": self.numberOf(leaf, self.nameOf(leaf, field)) if isClass else None, "says": says,
                "refused": whyUnreachable(field)}

    def mayBeDerived(self, type_):
        try:
            return type_.kind == self.cindex.TypeKind.RECORD and type_.get_size() >= 0 and self.types.hasVirtual(type_)
        except Problem:
            return True    # the bases that cannot be followed may be anything

    def nameOf(self, type_, field):
        """Returns the name of the class of a field in a selection."""
        hasName = "(" not in type_.spelling
        return type_.spelling if hasName else f"decltype({field.ownerText}::{field.simpleName})"

    def isOpened(self, type_):
        kinds = self.types.cursors
        return (type_.kind == self.cindex.TypeKind.RECORD and type_.get_size() >= 0 and not self.types.name(type_).startswith("std::")
                and type_.get_declaration().kind in (kinds.CLASS_DECL, kinds.STRUCT_DECL, kinds.UNION_DECL))

    def allClasses(self):
        """Returns the classes that can be reached by opening fields, each once."""
        states = []
        while len(states) < len(self.known):    # opening a class may find further classes
            states.append(self.classState(len(states)))
        return states

    def problems(self, text):
        """Returns ferrygen's errors for another text of the selection; empty when ferrygen would generate."""
        try:
            selection = selectionOf(self.path, text)
            headerText(selection, Rules(self.parse(selection), selection).parts())
        except Problem as problem:
            return str(problem).splitlines()
        return []

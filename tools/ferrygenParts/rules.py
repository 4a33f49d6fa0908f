"""What a view becomes: for each field that it sends, the member of a ferry::View; or a Problem that names view, field and cure."""
from dataclasses import dataclass, field as dataField

from ferrygenParts.fields import ClassFields
from ferrygenParts.problem import Problem
from ferrygenParts.selection import WHOLE
from ferrygenParts.types import Types, squeezed, typeText, withoutPlaces


@dataclass
class Part:
    """A view that was checked against its class."""
    view: object
    type: object
    text: str                                      # the name of the class in C++ code
    members: list = dataField(default_factory=list)    # (item of the ferry::View with {Field} for pointers to members, fields)
    sent: list = dataField(default_factory=list)
    skipped: list = dataField(default_factory=list)
    byName: dict = dataField(default_factory=dict)    # all fields, under each of their names
    rules: object = None

    @property
    def types(self):
        return self.rules.types

    def statement(self, table, field):
        """Returns the entry of a table of the view for a field, under any of its names."""
        return next((value for name, value in getattr(self.view, table).items() if self.byName.get(name) is field), None)


class Rules:
    def __init__(self, parsed, selection):
        self.selection = selection
        self.typeOf = parsed.types
        self.classFields = ClassFields(parsed.cindex)
        defaults = [parsed.types[view.type] for view in selection.views if view.isDefault]
        self.types = Types(parsed.cindex, self.classFields, defaults, parsed.unit)
        self.kinds = parsed.cindex.TypeKind
        self.cursors = parsed.cindex.CursorKind

    def parts(self):
        """Returns all views, checked. Problem: one line for each error."""
        problems, parts = self.doubleDefaults(), []
        for view in self.selection.views:
            part = Part(view, self.typeOf[view.type], view.type, rules=self)
            try:
                problems += ViewRules(self, part).apply()
            except Problem as problem:
                problems.append(f"{view.place}: view {view.name}: {problem}")
            parts.append(part)
        if problems:
            raise Problem.ofAll(problems)
        return parts

    def doubleDefaults(self):
        seen, problems = [], []
        for view in self.selection.views:
            if view.isDefault and self.typeOf[view.type] in seen:
                problems.append(f"{view.place}: view {view.name}: {view.type} has another default view already")
            if view.isDefault:
                seen.append(self.typeOf[view.type])
        return problems


def whyUnreachable(field):
    """Returns the reason why no view can have the field, with a cure; None when the field can be reached and read into."""
    if field.isReference:
        return f"field {field.name} is a reference, which no view can reach or set: add it to skip"
    if field.isConst:
        return f"field {field.name} is const and cannot be read into: add it to skip"
    if field.isVolatile:
        return f"field {field.name} is volatile, and such values do not travel: add it to skip"
    if field.isBitField and not field.isNameable:
        return (f"field {field.name} is a bit-field that is {field.access} or of a template: no pointer can lead to it, and no code outside "
                "may name it: add it to skip")
    if "(unnamed" in field.ownerText or "(anonymous" in field.ownerText:
        return f"field {field.name} is of a class without a name that code could use: add it to skip"
    return None


class ViewRules:
    """The rules for one view."""

    def __init__(self, rules, part):
        self.rules, self.part, self.view = rules, part, part.view
        self.types, self.kinds = rules.types, rules.kinds
        self.problems = []

    def problem(self, field, text):
        self.problems.append(f"{field.place if field else self.view.place}: view {self.view.name}: {text}")

    def apply(self):
        fields = self.rules.classFields.of(self.part.type, self.view.type)
        self.byName = {field.name: field for field in fields}
        for field in fields:    # the name with the class is always valid
            self.byName.setdefault(field.qualifiedName, field)
        self.part.byName = self.byName
        self.cover(fields)
        if not self.problems:
            self.checkUnions()
            self.checkKeys()
        if not self.problems:
            self.makeMembers()
        return self.problems

    def find(self, name):
        field = self.byName.get(name)
        if field is None:
            names = ", ".join(dict.fromkeys(each.name for each in self.byName.values()))
            self.problem(None, f"{self.view.type} has no field {name}; it has: {names or 'none'}")
        return field

    def cover(self, fields):
        """Checks that each field is sent or skipped, once, and that stated types are the types of the fields."""
        for name, stated in self.view.send:
            field = self.find(name)
            if field is None:
                continue
            if field in self.part.sent:
                self.problem(None, f"field {name} is sent twice")
                continue
            self.part.sent.append(field)
            if stated is not None and squeezed(withoutPlaces(stated)) not in (
                    squeezed(typeText(field.type)), squeezed(withoutPlaces(field.type.spelling))):
                self.problem(field, f"field {name} of {self.view.type} is {typeText(field.type)}, and was {stated} when the view was "
                                    f"written: write \"{name}: {typeText(field.type)}\" if that is meant")
        for name in self.view.skip:
            field = self.find(name)
            if field is None:
                continue
            if field in self.part.sent or field in self.part.skipped:
                self.problem(None, f"field {name} is both sent and skipped" if field in self.part.sent
                             else f"field {name} is skipped twice")
            self.part.skipped.append(field)
        for field in fields:
            if field not in self.part.sent and field not in self.part.skipped:
                self.problem(field, f"field {field.name} of {self.view.type} is neither sent nor skipped: add it to send or to skip")

    def checkUnions(self):
        """Checks that at most one alternative of a union is sent: the live one."""
        alternatives = {}
        isUnion = self.part.type.get_declaration().kind == self.rules.cursors.UNION_DECL
        for field in self.part.sent:
            if field.union is not None or isUnion:
                alternatives.setdefault(field.union.hash if field.union is not None else 0, []).append(field)
        for fields in alternatives.values():
            if len(fields) > 1:
                names = " and ".join(field.name for field in fields)
                self.problem(fields[0], f"fields {names} are alternatives of one union: send the one that is live, and skip the others")

    def checkKeys(self):
        for key, table in (("inside", self.view.inside), ("length", self.view.length), ("one_of", self.view.oneOf),
                           ("pointer", self.view.pointer), ("memory", self.view.memory)):
            for name in table:
                field = self.find(name)
                if field is not None and field not in self.part.sent:
                    self.problem(field, f"{key}.{name} is said of a field that is not sent: add {name} to send, or remove {key}.{name}")
                elif field is not None and key == "memory" and self.part.statement("length", field) is None:
                    self.problem(field, f"memory.{name} is said of a field that has no length: add length.{name}, or remove memory.{name}")

    def makeMembers(self):
        lengths = {}    # fields with lengths -> array fields
        for field in self.part.sent:
            names = self.part.statement("length", field)
            if names is not None:
                lengths.setdefault(tuple(names), []).append(field)
        counts = self.countFields(lengths)
        done = set()
        for field in self.part.sent:
            names = self.part.statement("length", field)
            if field in counts:
                continue
            if names is None:
                member = self.member(field)
                if member is not None:
                    self.part.members.append((member, [field]))
            elif tuple(names) not in done:
                done.add(tuple(names))
                self.addArrays([self.byName[name] for name in names if name in self.byName], lengths[tuple(names)])

    def countFields(self, lengths):
        """Returns the fields that are lengths of arrays."""
        counts = []
        for names, arrays in lengths.items():
            for name in names:
                field = self.find(name)
                if field is None:
                    continue
                if field not in self.part.sent:
                    self.problem(field, f"field {name} is the length of {arrays[0].name}: add it to send")
                elif field in counts:
                    self.problem(field, f"field {name} is in the lengths of several arrays, which must then be the same lengths")
                elif not self.kinds.BOOL.value < field.type.kind.value < self.kinds.FLOAT.value or field.isBitField:
                    self.problem(field, f"field {name} is the length of {arrays[0].name}, and is no integer but {typeText(field.type)}")
                else:
                    self.checkTarget(field)
                counts.append(field)
        return counts

    def checkTarget(self, field):
        """Whether a field can be reached and read into."""
        why = whyUnreachable(field)
        if why is not None:
            self.problem(field, why)
        return why is None

    def addArrays(self, lengths, arrays):
        items = []
        for field in arrays:
            if not self.checkTarget(field):
                return
            isOwner = self.types.name(field.type) == "std::unique_ptr" if field.type.kind == self.kinds.RECORD else False
            if self.types.isPointer(field.type):
                element = self.types.pointee(field.type)
            elif isOwner and self.types.argument(field.type, 0).kind == self.kinds.INCOMPLETEARRAY:
                element = self.types.argument(field.type, 0).element_type.get_canonical()
            else:
                self.problem(field, f"field {field.name} has a length and is no pointer but {typeText(field.type)}: remove length.{field.name}")
                return
            if self.types.isPointer(element):
                self.problem(field, f"field {field.name} is an array of pointers behind a pointer, which does not travel: add it to skip")
                return
            if self.types.isPolymorphic(element) and self.types.isPointer(field.type):
                self.problem(field, f"field {field.name} is an array of objects whose class has virtual functions: add it to skip")
                return
            inner = self.viewInside(field, element)
            if inner is None:
                return
            isMalloc = self.part.statement("memory", field) == "malloc"
            if isMalloc and not self.types.isPointer(field.type):
                self.problem(field, f"memory.{field.name} is malloc, and the field is no raw pointer but {typeText(field.type)}: remove it")
                return
            items.append("ferry::ArrayAt<{}, %s>" % (inner + ", ferry::FromMalloc" if isMalloc else inner))
        counted = ", ".join("{}" for _ in lengths)
        self.part.members.append((f"ferry::counted<ferry::CountedBy<{counted}>, {', '.join(items)}>", lengths + arrays))

    def viewInside(self, field, leaf):
        """Returns the view for the contents of a field, ferry::Whole for all of it, or None after a problem."""
        stated = self.part.statement("inside", field)
        if stated is None and leaf == self.part.type and leaf not in self.types.defaults:
            stated = self.view.name
        if stated is None or stated == WHOLE:
            why = self.types.whyNotWhole(leaf)
            if why is None:
                return "ferry::Whole"
            cure = f"name a view of it with inside.{field.name}, give its class one with default = true, or add the field to skip"
            self.problem(field, f"field {field.name}: {why}: {cure if self.canHaveView(leaf) else 'add the field to skip'}")
            return None
        other = self.rules.selection.view(stated)
        if other is None:
            self.problem(None, f"inside.{field.name} names the view {stated}, which is not there")
            return None
        otherType = self.rules.typeOf[other.type]
        if otherType != leaf and not (leaf.kind == self.kinds.RECORD and self.rules.classFields.isDerived(leaf, otherType)):
            self.problem(field, f"inside.{field.name} names the view {stated} of {other.type}, and the field holds {typeText(leaf)}")
            return None
        return stated

    def canHaveView(self, type_):
        return type_.kind == self.kinds.RECORD and not self.types.name(type_).startswith("std::")

    def member(self, field):
        """Returns the item for a field in the ferry::View, or None after a problem."""
        if not self.checkTarget(field):
            return None
        if field.isBitField:
            return "ferry::bitField<{}>"
        leaf, layers = self.types.peel(field.type)
        choices = self.part.statement("oneOf", field)
        if choices is not None:
            return self.oneOf(field, leaf, layers, choices)
        if self.types.isPointer(leaf):
            return self.pointerMember(field, leaf)
        if self.part.statement("pointer", field) is not None:
            return self.nullMember(field, layers)
        if "*[]" in layers:
            self.problem(field, f"field {field.name} is an array behind a pointer, whose length is not known: add length.{field.name}, or add "
                                "the field to skip")
            return None
        behindPointer = layers and layers[-1] in ("std::unique_ptr", "std::shared_ptr")
        if behindPointer and self.types.isPolymorphic(leaf) and not self.types.isFerryClass(leaf):
            self.problem(field, f"field {field.name} is a pointer to {typeText(leaf)}, which may be of a derived class"
                                f"{self.types.couldBe(leaf)}: add one_of.{field.name}, or add the field to skip")
            return None
        inner = self.viewInside(field, leaf)
        if inner is None:
            return None
        return "{}" if inner == "ferry::Whole" else "ferry::inside<{}, %s>" % inner

    def nullMember(self, field, layers):
        if not layers or layers[-1] not in ("std::unique_ptr", "std::shared_ptr") or self.part.statement("pointer", field) != "null":
            self.problem(field, f"pointer.{field.name} is said of a field that is no raw pointer but {typeText(field.type)}: remove it, or say null")
            return None
        return "ferry::inside<{}, ferry::Null>"

    def pointerMember(self, field, leaf):
        pointee = self.types.pointee(leaf)
        meaning = self.part.statement("pointer", field)
        if self.types.isFunction(pointee) and meaning != "null":
            self.problem(field, f"field {field.name} is a pointer to a function, whose address differs from process to process: say "
                                f"pointer.{field.name} = \"null\", or add it to skip")
            return None
        if meaning is None and pointee.kind == self.kinds.VOID:
            self.problem(field, f"field {field.name} is a pointer to void, of which nobody knows what is behind it: say "
                                f"pointer.{field.name} = \"null\", or add it to skip")
            return None
        if meaning is None:
            number = pointee.kind != self.kinds.RECORD
            cure = (f"length.{field.name}" if number else f"length.{field.name}, one_of.{field.name} or pointer.{field.name}")
            self.problem(field, f"field {field.name} is a pointer to {typeText(pointee)}: say what is behind it with {cure}, or add it to skip")
            return None
        if meaning == "null":
            return "ferry::inside<{}, ferry::Null>"
        if self.types.isPolymorphic(pointee) and not self.types.isFerryClass(pointee):
            self.problem(field, f"field {field.name} is a pointer to {typeText(pointee)}, which may be of a derived class{self.types.couldBe(pointee)}: "
                                + (f"say one_of.{field.name}" if meaning == "own" else "in a graph only classes derived from "
                                   "ferry::IntSerializableObject tell: add it to skip"))
            return None
        if meaning == "own":
            inner = self.viewInside(field, pointee)
            return None if inner is None else "ferry::inside<{}, ferry::Owned<%s>>" % inner
        if pointee.kind != self.kinds.RECORD or self.types.whyNotWhole(pointee) is not None:
            self.problem(field, f"field {field.name} is a pointer to a shared {typeText(pointee)}, which does not travel by itself: give its "
                                "class a view with default = true")
            return None
        return "{}"

    def oneOf(self, field, leaf, layers, choices):
        if self.types.isPointer(leaf):
            base = self.types.pointee(leaf)
            meaning = self.part.statement("pointer", field)
            if meaning not in (None, "own"):
                self.problem(field, f"pointer.{field.name} is {meaning}, which does not go with one_of.{field.name}: remove one of them")
                return None
        elif layers and layers[-1] in ("std::unique_ptr", "std::shared_ptr"):
            base = leaf
        else:
            self.problem(field, f"one_of.{field.name} is said of a field that is no pointer but {typeText(field.type)}")
            return None
        if base.kind != self.kinds.RECORD or not self.types.hasVirtual(base):
            self.problem(field, f"one_of.{field.name}: {typeText(base)} has no virtual functions that tell the class of an object")
            return None
        items = []
        for text, viewName in choices.items():
            type_ = self.rules.typeOf[text]
            if not self.rules.classFields.isDerived(type_, base):
                self.problem(field, f"one_of.{field.name}: {text} is not derived from {typeText(base)}")
                return None
            other = self.rules.selection.view(viewName)
            if viewName == WHOLE and self.types.whyNotWhole(type_) is None:
                items.append(f"ferry::Choice<{text}, ferry::Whole>")
            elif other is not None and self.rules.classFields.isDerived(type_, self.rules.typeOf[other.type]):
                items.append(f"ferry::Choice<{text}, {viewName}>")
            else:
                self.problem(field, f"one_of.{field.name}: {viewName} is no view of {text}")
                return None
        return "ferry::inside<{}, ferry::OneOf<%s>>" % ", ".join(items)

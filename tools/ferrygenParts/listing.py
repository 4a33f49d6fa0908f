"""The fields of a class as a tree, or as the beginning of a selection."""
import os

from ferrygenParts.fields import ClassFields, placeOf
from ferrygenParts.parsing import Parsed
from ferrygenParts.problem import Problem
from ferrygenParts.types import Types, typeText


def listFields(cindex, header, type_, flags, asToml):
    folder = os.getcwd()
    parsed = Parsed(cindex, [header], [(type_, "ferrygen list")], folder, flags)
    classFields = ClassFields(cindex)
    if asToml:
        return selectionText(classFields.of(parsed.types[type_], type_), header, type_)
    tree = Tree(classFields, Types(cindex, classFields, []))
    tree.addClass(parsed.types[type_], type_, "")
    return "\n".join(tree.lines)


def selectionText(fields, header, type_):
    name = "".join(word.capitalize() for word in "".join(c if c.isalnum() else " " for c in type_).split()) + "Part"
    lines = ["format = 1", f'headers = ["{header}"]', "", f"[view.{name}]", f'type = "{type_}"', "send = ["]
    lines += [f'    "{field.name}: {typeText(field.type)}",' for field in fields]
    return "\n".join(lines + ["]", "skip = []"])


class Tree:
    def __init__(self, classFields, types):
        self.classFields, self.types = classFields, types
        self.lines = []
        self.open = []    # the classes that are shown already, which are not opened again

    def addClass(self, type_, text, indent):
        self.open.append(type_)
        if not indent:
            self.lines.append(f"{text}    {type_.get_size()} bytes    {placeOf(type_.get_declaration())}")
        for field in self.classFields.of(type_, text):
            self.addField(field, indent + "    ")

    def addField(self, field, indent):
        notes = [field.access]
        if field.isBitField:
            notes.append(f"bit-field of {field.cursor.get_bitfield_width()}")
        if field.union is not None:
            notes.append("alternative of a union")
        comment = field.cursor.brief_comment
        leaf, _ = self.types.peel(field.type)
        if self.types.isPointer(leaf):
            leaf = self.types.pointee(leaf)
        isClass = leaf.get_declaration().kind in (self.types.cursors.CLASS_DECL, self.types.cursors.STRUCT_DECL, self.types.cursors.UNION_DECL)
        isOpened = isClass and leaf.get_size() >= 0 and not self.types.name(leaf).startswith("std::")
        if isOpened and leaf in self.open:
            notes.append("shown above")
        self.lines.append(f"{indent}{field.name}    {typeText(field.type)}    {', '.join(notes)}" + (f"    // {comment}" if comment else ""))
        if isOpened and leaf not in self.open:
            try:
                self.addClass(leaf, leaf.spelling, indent)
            except Problem as problem:
                self.lines.append(f"{indent}    cannot be opened: {problem}")

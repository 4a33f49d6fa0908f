"""The fields of a class as the compiler lays them out, those of its bases first."""
import os
from dataclasses import dataclass

from ferrygenParts.problem import Problem


@dataclass
class Field:
    name: str                # the name in a selection: with its class when another field has the same name
    simpleName: str
    owner: object            # cursor of the class that declares the field
    ownerText: str           # the name of that class in C++ code
    type: object             # the canonical type
    cursor: object
    place: str               # file:line
    access: str              # public, protected or private, as in the declaration
    isNameable: bool         # C++ code may name the field: it and its classes are public, and no templates are in the way
    isBitField: bool
    isConst: bool
    isVolatile: bool
    isReference: bool
    union: object = None     # the anonymous union that has the field as an alternative

    @property
    def qualifiedName(self):
        return f"{self.owner.spelling}::{self.simpleName}"


def placeOf(cursor):
    """Returns file:line. The file is relative to the current folder if it lies in it."""
    if cursor.location.file is None:
        return "?"
    path = os.path.realpath(cursor.location.file.name)
    inside = os.path.relpath(path)
    return f"{path if inside.startswith('..') else inside}:{cursor.location.line}"


class ClassFields:
    """Reads the fields of classes. cindex: the module clang.cindex."""

    def __init__(self, cindex):
        self.cindex = cindex
        self.kinds = cindex.CursorKind

    def of(self, type_, text):
        """Returns all fields of a class that C++ code names by the text, base classes first. Problem: the class is not complete."""
        declaration = type_.get_declaration()
        if type_.kind != self.cindex.TypeKind.RECORD:
            raise Problem(f"{text} is no class, struct or union")
        if type_.get_size() < 0:
            raise Problem(f"{placeOf(declaration)}: {text} is declared here and not defined: include the header that defines it")
        fields = []
        self.collect(type_, text, fields, [])
        self.nameApart(fields)
        return fields

    def basesOf(self, type_):
        """Returns (type, access, whether virtual) of each direct base class. Problem: bases that depend on template arguments."""
        declaration = type_.get_declaration()
        specifiers = [child for child in declaration.get_children() if child.kind == self.kinds.CXX_BASE_SPECIFIER]
        template = self.cindex.conf.lib.clang_getSpecializedCursorTemplate(declaration)
        if not specifiers and template is not None:
            specifiers = [child for child in template.get_children() if child.kind == self.kinds.CXX_BASE_SPECIFIER]
        bases = []
        for specifier in specifiers:
            base = specifier.type.get_canonical()
            if base.kind != self.cindex.TypeKind.RECORD:
                raise Problem(f"{placeOf(specifier)}: the base class {specifier.type.spelling} of {type_.spelling} depends on its template "
                              "arguments, which ferrygen cannot follow: derive a class from this instance of the template, or send another")
            bases.append((base, self.accessOf(specifier), bool(self.cindex.conf.lib.clang_isVirtualBase(specifier))))
        return bases

    def isDerived(self, type_, base):
        return type_ == base or any(self.isDerived(each, base) for each, _, _ in self.basesOf(type_))

    def accessOf(self, cursor):
        return cursor.access_specifier.name.lower()

    def isPublic(self, cursor):
        """Whether C++ code outside of the class may name it."""
        parent = cursor.semantic_parent
        if parent is None or parent.kind not in (self.kinds.CLASS_DECL, self.kinds.STRUCT_DECL, self.kinds.UNION_DECL, self.kinds.CLASS_TEMPLATE):
            return True
        return self.accessOf(cursor) == "public" and self.isPublic(parent)

    def collect(self, type_, text, fields, seenVirtual):
        for base, _, isVirtual in self.basesOf(type_):
            if isVirtual and base in seenVirtual:
                continue
            if isVirtual:
                seenVirtual.append(base)
            self.collect(base, base.spelling, fields, seenVirtual)
        self.collectOwn(type_, text, type_.get_declaration(), None, "public", fields)

    def collectOwn(self, type_, text, owner, union, outerAccess, fields):
        """outerAccess: access to the anonymous union or struct of these members."""
        isTemplate = self.cindex.conf.lib.clang_getSpecializedCursorTemplate(owner) is not None
        for cursor in type_.get_fields():
            fieldType = cursor.type.get_canonical()
            access = self.accessOf(cursor) if outerAccess == "public" else outerAccess
            if not cursor.spelling or "(" in cursor.spelling:    # versions of libclang name unnamed fields differently
                if not cursor.is_bitfield():    # an unnamed bit field is a gap
                    inner = fieldType.get_declaration()
                    alternative = inner if inner.kind == self.kinds.UNION_DECL else union
                    self.collectOwn(fieldType, text, owner, alternative, access, fields)
                continue
            layers = [fieldType]    # const and volatile may stand at an array or at its elements
            while layers[-1].kind == self.cindex.TypeKind.CONSTANTARRAY:
                layers.append(layers[-1].element_type)
            fields.append(Field(
                name=cursor.spelling, simpleName=cursor.spelling, owner=owner, ownerText=text, type=fieldType, cursor=cursor,
                place=placeOf(cursor), access=access,
                isNameable=access == "public" and self.isPublic(owner) and not isTemplate and not text.startswith("decltype"),
                isBitField=cursor.is_bitfield(), isConst=any(layer.is_const_qualified() for layer in layers),
                isVolatile=any(layer.is_volatile_qualified() for layer in layers),
                isReference=fieldType.kind in (self.cindex.TypeKind.LVALUEREFERENCE, self.cindex.TypeKind.RVALUEREFERENCE), union=union))

    def nameApart(self, fields):
        """Fields of one name get the names of their classes too. If these are equal as well, they get the full names of the classes."""
        for field in fields:
            if sum(other.simpleName == field.simpleName for other in fields) > 1:
                field.name = field.qualifiedName
        names = [field.name for field in fields]
        for field in fields:
            if names.count(field.name) > 1:
                field.name = f"{field.ownerText}::{field.simpleName}"

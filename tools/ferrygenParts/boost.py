"""The text of a header with functions for Boost.Serialization: one serialize() for the class of each view."""
import os

from ferrygenParts.output import HeaderWriter, textOfList
from ferrygenParts.outputFile import HEADER_MARK
from ferrygenParts.problem import Problem
from ferrygenParts.selection import WHOLE
from ferrygenParts.types import ADAPTERS, SMART_POINTERS, typeText

HEADERS = {"std::basic_string": "string", "std::pair": "utility", "std::multimap": "map", "std::multiset": "set",
           "std::unordered_multimap": "unordered_map", "std::unordered_multiset": "unordered_set",
           **{f"std::{name}": name for name in ("array", "bitset", "complex", "deque", "forward_list", "list", "map", "priority_queue",
                                                "queue", "set", "shared_ptr", "stack", "unique_ptr", "unordered_map", "unordered_set",
                                                "valarray", "vector", "weak_ptr")}}


def boostText(selection, rules):
    """Returns the header. Problem: one line for each field that Boost.Serialization cannot have."""
    parts = rules.parts()
    writer = BoostWriter(selection, parts)
    problems = []
    for part in parts:
        problems += BoostRules(rules, selection, parts, part).problems()
    if problems:
        raise Problem.ofAll(dict.fromkeys(problems))
    return writer.text()


class BoostRules:
    """What Boost.Serialization cannot have, of a view that Ferry could send."""

    def __init__(self, rules, selection, parts, part):
        self.rules, self.types, self.kinds = rules, rules.types, rules.kinds
        self.selection, self.parts, self.part = selection, parts, part
        self.found = []

    def problem(self, field, text):
        self.found.append(f"{field.place if field else self.part.view.place}: view {self.part.view.name}: {text}")

    def problems(self):
        same = [other for other in self.parts if other.type == self.part.type]
        if same[0] is not self.part:
            self.problem(None, f"{self.part.text} has the view {same[0].view.name} already, and Boost knows one serialize() for a class: move "
                               "one of them to another selection")
        declaration = self.part.type.get_declaration()
        if self.part.text.startswith("decltype") or not self.rules.classFields.isPublic(declaration):
            self.problem(None, f"{self.part.text} is private or has no name, so that no function of Boost can name the class: skip its objects, "
                               "or make the class public")
        for field in self.part.sent:
            self.checkField(field)
        return self.found

    def checkField(self, field):
        leaf, layers = self.types.peel(field.type)
        isPointer = self.types.isPointer(leaf)
        if self.part.statement("pointer", field) == "null":
            if len(layers) > (0 if isPointer else 1):
                self.problem(field, f"field {field.name} is a container of pointers, of which pointer.{field.name} makes null: add it to skip")
            return
        stated = self.part.statement("inside", field)
        hasLength = self.part.statement("length", field) is not None
        target = self.types.pointee(leaf) if isPointer else leaf
        if isPointer and layers:
            self.problem(field, f"field {field.name} is a container of raw pointers: add it to skip")
        elif (isPointer or any(layer in SMART_POINTERS for layer in layers)) and not hasLength and self.isScalar(target):
            self.problem(field, f"field {field.name} is a pointer to {typeText(target)}, and Boost has pointers to objects of classes alone: "
                                "add it to skip")
        elif self.part.statement("oneOf", field) is not None:
            self.checkChoices(field, target)
        elif stated not in (None, WHOLE) and self.typeOf(stated) != target:
            self.problem(field, f"inside.{field.name} names the view {stated} of a base class of {typeText(target)}, and Boost knows the class "
                                "alone: give it a view of its own")
        elif stated != WHOLE:
            self.checkContent(field, field.type if not isPointer and not hasLength else target)

    def typeOf(self, viewName):
        return self.rules.typeOf[self.selection.view(viewName).type]

    def isScalar(self, type_):
        return type_.kind != self.kinds.RECORD or self.types.name(type_) == "std::basic_string"

    def hasView(self, type_):
        return any(part.type == type_ for part in self.parts)

    def checkChoices(self, field, base):
        for text, viewName in self.part.statement("oneOf", field).items():
            if viewName != WHOLE and self.typeOf(viewName) != self.rules.typeOf[text]:
                self.problem(field, f"one_of.{field.name} names the view {viewName} of a base class of {text}, and Boost knows the class alone: "
                                    "give it a view of its own")
        if not base.get_declaration().is_abstract_record() and not self.hasView(base):
            self.problem(field, f"field {field.name} is a pointer to {typeText(base)}, which is not abstract and has no view: give it one")

    def checkContent(self, field, type_):
        """Checks that Boost knows the type, and all types within it."""
        if type_.kind in (self.kinds.CONSTANTARRAY, self.kinds.INCOMPLETEARRAY):
            self.checkContent(field, type_.element_type.get_canonical())
        elif type_.kind == self.kinds.RECORD and not self.hasView(type_):
            name = self.types.name(type_)
            count = 2 if name.endswith("map") or name in ADAPTERS + ("std::pair",) else 1
            if name in HEADERS:
                isLeaf = name in ("std::basic_string", "std::bitset")
                for index in range(0 if isLeaf else count):
                    self.checkContent(field, self.types.argument(type_, index))
            elif name.startswith("std::"):
                self.problem(field, f"field {field.name} holds a {typeText(type_)}, for which Boost 1.81 has no functions: add it to skip")
            elif not any(child.spelling == "serialize" for child in type_.get_declaration().get_children()):
                self.problem(field, f"field {field.name} holds a {typeText(type_)}, of which Boost knows nothing: give the class a view in this "
                                    f"selection, say inside.{field.name} = \"whole\" if it has a serialize(), or add the field to skip")


class BoostWriter(HeaderWriter):
    """Writes no views. The functions need PrivateMember.hpp of Ferry, and no library of Ferry."""

    def text(self):
        for part in self.parts:
            self.sizes.setdefault(part.text, (self.newTag(part.text, "Size"), part.type.get_size()))
        functions = [line for part in self.parts for line in self.functionLines(part)]
        lines = [f"{HEADER_MARK}{os.path.basename(self.selection.path)}: change that file, not this one.", "#pragma once", ""]
        lines += [f'#include "{header}"' for header in self.selection.headers]
        lines += ["", "#include <cstddef>", "#include <cstdlib>", "#include <memory>", "#include <new>", "#include <stdexcept>", "#include <utility>", ""]
        lines += [f"#include <boost/serialization/{name}.hpp>" for name in self.boostHeaders()]
        lines += ["#include <ferry/serialization/PrivateMember.hpp>", ""]
        lines += self.tagLines()
        return "\n".join(lines + ["namespace boost::serialization {", ""] + functions + ["}    // namespace boost::serialization"]) + "\n"

    def boostHeaders(self):
        found = {"array_wrapper", "base_object", "serialization", "void_cast"}
        waiting = [field.type for part in self.parts for field in part.sent]
        while waiting:
            type_ = waiting.pop()
            while type_.kind.name in ("CONSTANTARRAY", "INCOMPLETEARRAY"):
                type_ = type_.element_type.get_canonical()
            if type_.kind.name != "RECORD":
                continue
            name = self.parts[0].types.name(type_)
            if name in HEADERS:
                found.add(HEADERS[name])
                count = 2 if name.endswith("map") or name in ADAPTERS + ("std::pair",) else 0 if name == "std::bitset" else 1
                waiting += [self.parts[0].types.argument(type_, index) for index in range(count)]
        adapters = {HEADERS[name] for name in ADAPTERS}    # find the functions of their container only when its header stands before
        return sorted(found - adapters) + sorted(found & adapters)

    def functionLines(self, part):
        lines = textOfList(part) + ["template <class Archive>", f"void serialize(Archive& archive, {part.text}& object, unsigned) {{"]
        bases = self.wholeBases(part)
        lines += [f"    archive & base_object<{text}>(object);" for text, _ in bases]
        inBases = [field for _, fields in bases for field in fields]
        done = set()
        lengths = [part.byName[name] for names in part.view.length.values() for name in names]
        for field in part.sent:
            names = part.statement("length", field)
            if field in inBases or field in lengths:
                continue
            if names is None:
                lines += self.fieldLines(part, field)
                continue
            counts = [part.byName[name] for name in names]
            lines += [line for count in counts if count.name not in done for line in self.fieldLines(part, count)]
            done.update(count.name for count in counts)
            lines += self.arrayLines(part, field, counts)
        return lines + ["}", ""]

    def wholeBases(self, part):
        """Returns (text, fields) of each public base class whose own view sends the same of the base class."""
        found = []
        for base, access, isVirtual in part.rules.classFields.basesOf(part.type):
            other = next((each for each in self.parts if each.type == base), None)
            if other is None or access != "public" or isVirtual:
                continue
            keys = {(field.ownerText, field.simpleName) for field in other.sent}
            all_ = keys | {(field.ownerText, field.simpleName) for field in other.skipped}
            here = [field for field in part.sent if (field.ownerText, field.simpleName) in all_]
            if {(field.ownerText, field.simpleName) for field in here} == keys:
                found.append((other.text, here))
        return found

    def place(self, part, field):
        """Returns the member of the object. A cast in the style of C reaches private bases, too."""
        isOwn = field.owner == part.type.get_declaration() or field.ownerText == part.text
        object_ = "object" if isOwn else f"(({field.ownerText}&)object)"
        if field.isNameable or field.isBitField:
            return f"{object_}.{field.simpleName}"
        tagged = self.pointerTo(field).replace(f"<{self.tags}::", f"<{self.selection.namespace}::{self.tags}::")
        return f"({object_}.*{tagged})"

    def fieldLines(self, part, field):
        place = self.place(part, field)
        if part.statement("pointer", field) == "null":
            return [f"    if (Archive::is_loading::value) {place} = nullptr;"]
        if field.isBitField:
            return ["    {", f"        auto value = {place};", "        archive & value;",
                    f"        if (Archive::is_loading::value) {place} = value;", "    }"]
        lines = []
        leaf, _ = part.types.peel(field.type)
        choices = part.statement("oneOf", field)
        if choices is not None:
            base = typeText(part.types.pointee(leaf) if part.types.isPointer(leaf) else leaf)
            for text in choices:
                lines += [f"    archive.template register_type<{text}>();", f"    void_cast_register<{text}, {base}>(nullptr, nullptr);"]
        if part.types.isPointer(leaf) and (choices is not None or part.statement("pointer", field) == "own"):
            return lines + ["    {", f"        auto& pointer = {place};",
                            "        if (Archive::is_loading::value) delete std::exchange(pointer, nullptr);", "        archive & pointer;", "    }"]
        return lines + [f"    archive & {place};"]

    def arrayLines(self, part, field, counts):
        isPointer = part.types.isPointer(field.type)
        element = part.types.pointee(field.type) if isPointer else part.types.argument(field.type, 0).element_type.get_canonical()
        text = typeText(element).removeprefix("const ")
        isMalloc = part.statement("memory", field) == "malloc"
        made = (f"static_cast<{text}*>(std::calloc(count == 0 ? 1 : count, sizeof({text})))" if isMalloc else f"new {text}[count]()")
        address = f"const_cast<{text}*>(array)" if isPointer else "array.get()"
        lines = ["    {", f"        auto& array = {self.place(part, field)};", "        std::size_t count = 1;"]
        for each in counts:
            isSigned = each.type.kind.name in ("CHAR_S", "SCHAR", "SHORT", "INT", "LONG", "LONGLONG")
            lines += [f"        if (const auto length = {self.place(part, each)};",
                      f"            {'length < 0 || ' if isSigned else ''}__builtin_mul_overflow(count, static_cast<std::size_t>(length), &count))",
                      f'            throw std::length_error("ferrygen: the length of {field.name} is no number of elements");']
        lines += ["        bool isThere = array != nullptr;", "        archive & isThere;", "        if (Archive::is_loading::value) {"]
        if isPointer:
            lines += [f"            {'std::free(' if isMalloc else 'delete[] '}{address}{')' if isMalloc else ''};", "            array = nullptr;",
                      f"            if (isThere) array = {made};"]
        else:
            lines += [f"            array.reset(isThere ? {made} : nullptr);"]
        if isMalloc:
            lines += ["            if (isThere && array == nullptr) throw std::bad_alloc();"]
        return lines + ["        }", f"        if (isThere && count != 0) archive & make_array({address}, count);", "    }"]

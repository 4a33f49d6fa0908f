"""The text of a generated header: tags and explicit instantiations for what only those may name, then the views."""
import os
import re

from ferrygenParts.outputFile import HEADER_MARK

COLUMNS = 140


def headerText(selection, parts):
    """Returns the same text for the same classes and selection on every machine."""
    return HeaderWriter(selection, parts).text()


def textOfList(part):
    """Returns the comment that says which fields of a class travel."""
    skipped = ", ".join(field.name for field in part.skipped)
    return [f"/// {part.text}: {', '.join(field.name for field in part.sent) or 'nothing'}" + (f"; not {skipped}" if skipped else "")]


class HeaderWriter:
    def __init__(self, selection, parts):
        self.selection, self.parts = selection, parts
        self.tags = f"{selection.stem}Tags"
        self.pointers = {}      # (class, field) -> tag
        self.bitFields = {}     # (class, field) -> accessor
        self.sizes = {}         # class -> (tag, bytes)

    def text(self):
        for part in self.parts:
            self.sizes.setdefault(part.text, (self.newTag(part.text, "Size"), part.type.get_size()))
        members = [[self.member(template, fields) for template, fields in part.members] for part in self.parts]
        lines = [f"{HEADER_MARK}{os.path.basename(self.selection.path)}: change that file, not this one.", "#pragma once", ""]
        lines += [f'#include "{header}"' for header in self.selection.headers]
        lines += ["", "#include <string_view>", "#include <type_traits>", "",
                  "#include <ferry/serialization/Codec.hpp>", "#include <ferry/serialization/PrivateMember.hpp>", ""]
        lines += self.tagLines()
        lines += self.viewLines(members)
        lines += self.codecLines()
        return "\n".join(lines) + "\n"

    def newTag(self, className, fieldName):
        """Returns a name that no other tag has."""
        name = re.sub(r"\W+", "_", f"{className}_{fieldName}").strip("_")
        taken = {tag for tag, _ in self.sizes.values()} | set(self.pointers.values()) | set(self.bitFields.values())
        number, unique = 2, name
        while unique in taken:
            unique, number = f"{name}{number}", number + 1
        return unique

    def className(self, field):
        """Returns the name of the class of a field in C++ code, in front of ::."""
        return f"std::remove_cvref_t<{field.ownerText}>" if field.ownerText.startswith("decltype") else field.ownerText

    def member(self, template, fields):
        return template.format(*(self.pointerTo(field) for field in fields))

    def pointerTo(self, field):
        key = (field.ownerText, field.simpleName)
        if field.isBitField:
            if key not in self.bitFields:
                self.bitFields[key] = self.newTag(*key)
            return self.bitFields[key]
        if field.isNameable:
            return f"&{self.className(field)}::{field.simpleName}"
        if key not in self.pointers:
            self.pointers[key] = self.newTag(*key)
        return f"memberOf(ferry::detail::MemberSlot<{self.tags}::{self.pointers[key]}>())"

    def tagLines(self):
        names = [tag for tag, _ in self.sizes.values()] + list(self.pointers.values())
        qualified = f"{self.selection.namespace}::{self.tags}"
        lines = [f"namespace {self.selection.namespace} {{", "namespace {", f"namespace {self.tags} {{"]
        lines += [f"struct {name};" for name in names]
        lines += [f"}}    // namespace {self.tags}", "}    // namespace", f"}}    // namespace {self.selection.namespace}", ""]
        for text, (tag, byteCount) in self.sizes.items():
            lines.append(f"template struct ferry::detail::SeenClass<{qualified}::{tag}, {text}, {byteCount}>;")
        for (owner, name), tag in self.pointers.items():
            owner = f"std::remove_cvref_t<{owner}>" if owner.startswith("decltype") else owner
            lines.append(f"template struct ferry::detail::PrivateMember<{qualified}::{tag}, &{owner}::{name}>;")
        return lines + [""]

    def viewLines(self, members):
        lines = [f"namespace {self.selection.namespace} {{", ""]
        for (owner, name), accessor in self.bitFields.items():
            lines += [f"struct {accessor} {{", f'    static constexpr std::string_view name = "{name}";',
                      f"    using Value = decltype({owner}::{name});",
                      f"    static Value get(const {owner}& object) {{ return object.{name}; }}",
                      f"    static void set({owner}& object, Value value) {{ object.{name} = value; }}", "};", ""]
        lines += [f"struct {part.view.name};" for part in self.parts] + [""]
        for part, items in zip(self.parts, members):
            lines += textOfList(part)
            lines += self.viewLine(f"using {part.view.name}Members = ferry::View<", items)
            lines += [f"struct {part.view.name} : {part.view.name}Members {{}};", ""]
        return lines + [f"}}    // namespace {self.selection.namespace}"]

    def viewLine(self, start, items):
        """Returns `using ...<items>;`. A long list gets one line for each item."""
        line = start + ", ".join(items) + ">;"
        if len(line) <= COLUMNS:
            return [line]
        return [start] + [f"    {item}," for item in items[:-1]] + [f"    {items[-1]}>;"]

    def codecLines(self):
        lines = []
        for part in self.parts:
            if part.view.isDefault:
                lines += ["", "template <>", f"struct ferry::Codec<{part.text}> : "
                          f"ferry::ViewCodec<{part.text}, {self.selection.namespace}::{part.view.name}> {{}};"]
        return lines

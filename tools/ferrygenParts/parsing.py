"""Has libclang parse headers, and finds the types that a selection names. Errors of the compiler stop everything: behind one of them
libclang takes unknown types for int."""
import os
import sys

from ferrygenParts.problem import Problem

DEBIAN_PYTHON_PACKAGES = "/usr/lib/python3/dist-packages"
CURE = "apt-get install python3-clang libclang1-14"
NAMESPACE = "ferrygenProbe"


def loadClang():
    """Returns the module clang.cindex, also for a Python that is not Debian's. Problem: the module or its library is missing."""
    try:
        import clang.cindex
    except ImportError:
        sys.path.append(DEBIAN_PYTHON_PACKAGES)
        try:
            import clang.cindex
        except ImportError:
            raise Problem(f"ferrygen needs libclang with its Python module, which was not found (Debian: {CURE})") from None
        finally:
            sys.path.remove(DEBIAN_PYTHON_PACKAGES)
    library = os.environ.get("FERRYGEN_LIBCLANG")
    if library and not clang.cindex.Config.loaded:
        clang.cindex.Config.set_library_file(library)
    try:
        clang.cindex.Index.create()
    except clang.cindex.LibclangError as error:
        raise Problem(f"ferrygen cannot load libclang (Debian: {CURE}; FERRYGEN_LIBCLANG names another file): {error}") from None
    return clang.cindex


class Parsed:
    """Headers as the compiler sees them, and the types that were asked for.

    types: the text of each type -> its clang type, canonical. files: every file that was read, by its real path.
    """

    def __init__(self, cindex, headers, wanted, folder, flags, headersPlace="ferrygen"):
        """wanted: (text of a type, its origin for errors). Headers are looked for in `folder` first. headersPlace names their origin."""
        self.headersPlace = headersPlace
        self.cindex = cindex
        self.probe = os.path.join(os.path.abspath(folder), "ferrygen-probe.cpp")
        lines = [f'#include "{header}"' for header in headers]
        # An instance of a template becomes a complete class only when its size is needed.
        lines.append(f"namespace {NAMESPACE} {{ template <int, class T> struct Type {{ static constexpr bool known = requires {{ sizeof(T); }}; }}; }}")
        texts = list(dict(wanted))
        self.whoAsks = {}
        for number, text in enumerate(texts):
            # An explicit instantiation may name private types.
            lines.append(f"template struct {NAMESPACE}::Type<{number}, {text}>;")
            self.whoAsks[len(lines)] = (text, dict(wanted)[text])
        source = "\n".join(lines) + "\n"
        arguments = ["-x", "c++", "-std=c++20", *flags]
        options = cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
        try:
            self.unit = cindex.Index.create().parse(self.probe, arguments, [(self.probe, source)], options)
        except cindex.TranslationUnitLoadError:
            raise Problem("libclang cannot start with these flags: " + " ".join(flags)) from None
        self.refuseErrors()
        self.types = self.findTypes(texts)
        self.files = sorted({os.path.realpath(include.include.name) for include in self.unit.get_includes()})

    def refuseErrors(self):
        problems = []
        for diagnostic in self.unit.diagnostics:
            if diagnostic.severity < self.cindex.Diagnostic.Error:
                continue
            place = diagnostic.location
            if place.file is None:
                problems.append(f"ferrygen: {diagnostic.spelling}")
            elif place.file.name == self.probe and place.line in self.whoAsks:
                text, who = self.whoAsks[place.line]
                problems.append(f"{who}: no such type {text}: {diagnostic.spelling}")
            elif place.file.name == self.probe:
                problems.append(f"{self.headersPlace}: {diagnostic.spelling}")
            else:
                problems.append(f"{os.path.normpath(place.file.name)}:{place.line}: {diagnostic.spelling}")
        if problems:
            raise Problem.ofAll(dict.fromkeys(problems))

    def findTypes(self, texts):
        found = {}
        for cursor in self.unit.cursor.get_children():
            if cursor.spelling != "Type" or cursor.location.file is None or cursor.location.file.name != self.probe:
                continue
            if cursor.location.line in self.whoAsks:
                text, _ = self.whoAsks[cursor.location.line]
                found[text] = withoutConst(cursor.type.get_template_argument_type(1).get_canonical())
        for text in texts:
            if text not in found:
                raise Problem(f"{dict(self.whoAsks.values()).get(text, 'ferrygen')}: no type {text}")
        return found


def withoutConst(type_):
    declaration = type_.get_declaration()
    return declaration.type.get_canonical() if type_.is_const_qualified() and declaration.type.spelling else type_

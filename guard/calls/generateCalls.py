#!/usr/bin/env python3
"""Writes the functions of MPI that ferry_pmpi stands before, from calls.txt and the mpi.h at hand.

    generateCalls.py --compiler g++ --include DIR... --calls calls.txt --source OUT.cpp     the functions
    ... --refused OUT.hpp                                                                   all refused ones, for the tests
    ... --check FOLDER    compares: each function of mpi.h is in one line of calls.txt, and each `written` one in a source of the folder
"""
import argparse
import fnmatch
import glob
import os
import re
import shlex
import subprocess
import sys
import zlib
from collections import namedtuple

Function = namedtuple("Function", "name result parameters")      # of mpi.h; parameters: (declaration, name)
Line = namedtuple("Line", "pattern treatment why")

TREATMENTS = ("collective", "barrier", "deferred", "makes", "makes-later", "makes-outside", "access", "access-later", "starts", "written", "local",
              "refused")
# The arguments whose bytes are equal on all ranks: the same ones on each rank, or those of the root and those of the other ranks.
ONE, RECEIVED = (("count", "datatype"), None), (("recvcount", "recvtype"), None)
DATA = {"MPI_Bcast": ONE, "MPI_Reduce": ONE, "MPI_Allreduce": ONE, "MPI_Scan": ONE, "MPI_Exscan": ONE,
        "MPI_Reduce_scatter_block": (("recvcount", "datatype"), None), "MPI_Allgather": RECEIVED, "MPI_Alltoall": RECEIVED,
        "MPI_Gather": (None, ("recvcount", "recvtype", "sendcount", "sendtype")),
        "MPI_Scatter": (None, ("sendcount", "sendtype", "recvcount", "recvtype"))}
# The counts for each rank, and their type: an array that is equal on all ranks.
COUNTS = {"MPI_Allgatherv": ("recvcounts", "recvtype"), "MPI_Reduce_scatter": ("recvcounts", "datatype")}


def functionsOf(compiler, includes):
    """Each function that mpi.h declares, by name."""
    command = [*shlex.split(compiler), "-E", "-P", "-x", "c", "-", *("-I" + folder for folder in includes)]
    text = subprocess.run(command, input="#include <mpi.h>\n", stdout=subprocess.PIPE, check=True, text=True).stdout
    found = {}
    for result, name, parameters in re.findall(r"\b(int|double|MPI_\w+)\s+(MPI_[A-Z]\w*)\s*\(([^()]*)\)", text):
        found[name] = Function(name, result, parametersOf(parameters))
    return found


def parametersOf(text):
    parameters = []
    for part in text.split(","):
        declaration = " ".join(part.split())
        if declaration in ("", "void"):
            continue
        name = re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)*$", declaration).group(1) if declaration != "..." else None
        parameters.append((declaration, name))
    return parameters


def linesOf(path):
    """The lines of calls.txt, one for each pattern."""
    lines = []
    treatment = why = None
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            words = shlex.split(text, comments=True)
            if not words:
                continue
            if not text[0].isspace():
                treatment = words.pop(0)
                why = words.pop(0) if treatment == "refused" else None
                if treatment not in TREATMENTS:
                    raise SystemExit(f"{path}:{number}: no treatment: {treatment}")
            lines += [Line(word, treatment, why) for word in words]
    return lines


def lineFor(name, lines):
    """The line that says what to do: one that names the function before one with a star."""
    matching = [line for line in lines if fnmatch.fnmatchcase(smallName(name), line.pattern)]
    matching.sort(key=lambda line: "*" in line.pattern)
    if not matching:
        return Line(name, "refused", "this version of Ferry does not know the call")
    if matching[0].treatment == "written" and name != smallName(name):
        return Line(name, "written-small", None)
    return matching[0]


def smallName(name):
    """Without the ending of large counts."""
    return name.removesuffix("_c")


def parameterOfType(function, kind):
    pattern = re.compile(rf"^{kind}\s+\w+$" if not kind.endswith("*") else rf"^{kind[:-1].strip()}\s*\*\s*\w+$")
    return [name for declaration, name in function.parameters if pattern.match(declaration)]


def refusal(function, why):
    return (f"    if (activeRegion != nullptr) [[unlikely]] {{\n"
            f"        if (const auto refused = refuse(\"{function.name}\", \"{why}\")) return *refused;\n    }}\n")


def kindOf(function):
    """What it is called on, and the communicator there: Communicator, File or Window."""
    for kind, name in (("MPI_Comm", "Communicator"), ("MPI_File", "File"), ("MPI_Win", "Window")):
        if found := parameterOfType(function, kind):
            return name, found[0] if name == "Communicator" else f"communicatorOf{name}({found[0]})"
    raise SystemExit(f"{function.name}: no communicator, file or window")


def madeBy(function):
    """What it makes, and where it goes."""
    for kind, name in (("MPI_Win *", "Window"), ("MPI_File *", "File"), ("MPI_Comm *", "Communicator")):
        if found := parameterOfType(function, kind):
            return f"Made{name}", found[-1]
    raise SystemExit(f"{function.name}: makes nothing")


def signatureOf(function):
    """What the ranks compare before a collective call."""
    names = {name for _, name in function.parameters}
    small = smallName(function.name)
    text = f"CallSignature(\"{small}\", {zlib.crc32(small.encode())}U)"
    if "root" in names:
        text += ".root(root)"
    blocking = re.sub(r"^MPI_I([a-z])", lambda found: "MPI_" + found.group(1).upper(), small)    # the same rules for non-blocking calls
    at, data = DATA.get(blocking, (None, None))
    if at is not None and at[0] in names:
        text += f".data({at[0]}, {at[1]})"
    elif data is not None and {data[0], data[2]} <= names:
        text += f".dataOfRoot({data[0]}, {data[1]}).data({data[2]}, {data[3]})"
    counts = COUNTS.get(blocking)
    if counts is not None and counts[0] in names:
        text += f".counts({counts[0]}, {parameterOfType(function, 'MPI_Comm')[0]}, {counts[1]})"
    operation = parameterOfType(function, "MPI_Op")
    if operation and "datatype" in names:
        text += f".operation({operation[0]}, datatype)"
    return text


def bodyOf(function, line):
    plain = f"P{function.name}({', '.join(name for _, name in function.parameters)})"
    outside = f"    if (activeRegion == nullptr) [[likely]]\n        return {plain};\n"
    if line.treatment in ("collective", "barrier"):
        _, place = kindOf(function)
        call = f"[&] {{ return {plain}; }}"
        if line.treatment == "barrier":
            call = "[] { return activeRegion->advanceMessages(); }, " + call
        return outside + f"    return activeRegion->collective({signatureOf(function)}, {place}, {call});\n"
    if line.treatment == "deferred":
        (_, place), request = kindOf(function), parameterOfType(function, "MPI_Request *")[-1]
        started = ", ".join("started" if name == request else name for _, name in function.parameters)
        return outside + (f"    return activeRegion->defer({signatureOf(function)}, {place}, {request}, "
                          f"[=](MPI_Request* started) {{ return P{function.name}({started}); }});\n")
    if line.treatment == "makes":
        (_, parent), (kind, made) = kindOf(function), madeBy(function)
        return (f"    if (activeRegion == nullptr) [[likely]]\n        return {kind}::noted({parent}, {plain}, {made});\n"
                f"    return activeRegion->create<{kind}>({signatureOf(function)}, {parent}, {made}, [&] {{ return {plain}; }});\n")
    if line.treatment == "makes-later":
        (_, parent), made, request = kindOf(function), parameterOfType(function, "MPI_Comm *")[-1], parameterOfType(function, "MPI_Request *")[-1]
        info = parameterOfType(function, "MPI_Info")
        kept = f"    const KeptInfo kept({info[0]});\n" if info else ""
        given = {made: "later", request: "started"} | ({info[0]: "kept.get()"} if info else {})
        call = f"P{function.name}({', '.join(given.get(name, name) for _, name in function.parameters)})"
        return outside + kept + (f"    return activeRegion->createLater({signatureOf(function)}, {parent}, ferry::pmpi::LaterResult::ofC({made}), {request}, "
                                 f"[=](MPI_Comm* later, MPI_Request* started) {{ return {call}; }});\n")
    if line.treatment == "makes-outside":
        kind, made = madeBy(function)
        return (refusal(function, "not all ranks of a known communicator take part") +
                f"    return {kind}::notedForeign({plain}, {made});\n")
    if line.treatment == "access":
        window = parameterOfType(function, "MPI_Win")[0]
        return (f"    if (activeRegion != nullptr) [[unlikely]] {{\n"
                f"        if (const auto instead = activeRegion->access(\"{function.name}\", {window})) return *instead;\n    }}\n    return {plain};\n")
    if line.treatment == "access-later":
        window, request = parameterOfType(function, "MPI_Win")[0], parameterOfType(function, "MPI_Request *")[-1]
        return outside + (f"    *{request} = MPI_REQUEST_NULL;\n"
                          f"    if (const auto instead = activeRegion->access(\"{function.name}\", {window})) return *instead;\n"
                          f"    const int result = {plain};\n"
                          f"    if (result == MPI_SUCCESS) activeRegion->requests().add(*{request}, accessTo({window}));\n    return result;\n")
    if line.treatment == "written-small":
        return largeBody(function)
    if line.treatment == "starts":
        (_, place), request = kindOf(function), parameterOfType(function, "MPI_Request *")[-1]
        return outside + f"    return activeRegion->start({place}, {request}, [&] {{ return {plain}; }});\n"
    return refusal(function, line.why) + f"    return {plain};\n"


def largeBody(function):
    """A call with large counts by the one without, which is written by hand. Elements beyond the range of int become one element of a type."""
    arguments = {name: name for _, name in function.parameters}
    counts = [(count, datatype) for (declaration, count), (_, datatype) in zip(function.parameters, function.parameters[1:]) if declaration.startswith("MPI_Count ")]
    for number, pair in enumerate(counts):
        arguments |= {name: f"{kind}{number}" for name, kind in zip(pair, ("count", "type"))}
    call = f"{smallName(function.name)}({', '.join(arguments[name] for _, name in function.parameters)})"
    for number, (count, datatype) in reversed(list(enumerate(counts))):
        call = f"withSmallCount({count}, {datatype}, [&](int count{number}, MPI_Datatype type{number}) {{ return {call}; }})"
    plain = f"P{function.name}({', '.join(name for _, name in function.parameters)})"
    large = ""
    if "_replace" in function.name:    # made with a copy of the elements, whose bytes an int counts
        large = (f"    if ({counts[0][0]} > std::numeric_limits<int>::max())\n"
                 f"        return replaceLarge({', '.join(name for _, name in function.parameters)});\n")
    return f"    if (activeRegion == nullptr) [[likely]]\n        return {plain};\n{large}    return {call};\n"


def definition(function, line):
    return f"{function.result} {function.name}({', '.join(declaration for declaration, _ in function.parameters)}) {{\n{bodyOf(function, line)}}}\n"


# Reports of exceptions leave out lines of Ferry's own files, which they know by the path.
SOURCE_HEAD = """// Made by guard/calls/generateCalls.py from calls.txt and mpi.h.
#line 3 "/ferry/guard/calls/GeneratedCalls.cpp"
#include <limits>

#include <mpi.h>

#include <ferry/guard/calls/withSmallCount.hpp>
#include <ferry/guard/known/KeptInfo.hpp>
#include <ferry/guard/region/MadeHandles.hpp>
#include <ferry/guard/region/Region.hpp>

using ferry::pmpi::activeRegion;
using ferry::pmpi::accessTo;
using ferry::pmpi::CallSignature;
using ferry::pmpi::communicatorOfFile;
using ferry::pmpi::communicatorOfWindow;
using ferry::pmpi::KeptInfo;
using ferry::pmpi::MadeCommunicator;
using ferry::pmpi::MadeFile;
using ferry::pmpi::MadeWindow;
using ferry::pmpi::refuse;
#if MPI_VERSION >= 4
using ferry::pmpi::replaceLarge;
#endif
using ferry::pmpi::withSmallCount;

"""


def writeSource(path, functions, lines):
    chosen = [(function, lineFor(name, lines)) for name, function in sorted(functions.items())]
    bodies = [definition(function, line) for function, line in chosen
              if line.treatment not in ("written", "local") and function.result == "int"]
    with open(path, "w", encoding="utf-8") as file:
        file.write(SOURCE_HEAD + "\n".join(bodies))


def writeRefused(path, functions, lines):
    """A table of calls with nothing but zeros as arguments: they are refused before anything looks at those."""
    rows = []
    for name, function in sorted(functions.items()):
        if lineFor(name, lines).treatment not in ("refused", "makes-outside") or function.result != "int":
            continue
        arguments = ", ".join("{}" for _ in function.parameters)
        rows.append(f"    RefusedCall{{\"{name}\", [] {{ return {name}({arguments}); }}}},\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write("// Made by guard/calls/generateCalls.py.\n#pragma once\n\n#include <array>\n\n#include <mpi.h>\n\n"
                   "struct RefusedCall {\n    const char* name;\n    int (*call)();\n};\n\n"
                   f"inline constexpr std::array<RefusedCall, {len(rows)}> refusedCalls{{\n{''.join(rows)}}};\n")


def check(folder, functions, lines):
    problems = []
    for name in sorted(functions):
        matching = [line for line in lines if fnmatch.fnmatchcase(smallName(name), line.pattern)]
        exact = [line for line in matching if "*" not in line.pattern]
        if not matching:
            problems.append(f"{name} is in mpi.h and in no line of calls.txt")
        elif len({(line.treatment, line.why) for line in exact or matching}) > 1 or len(exact) > 1:
            problems.append(f"{name} is in several lines of calls.txt")
    sources = ""
    for path in glob.glob(os.path.join(folder, "*Calls.cpp")):
        with open(path, encoding="utf-8") as file:
            sources += file.read()
    written = set(re.findall(r"^int (MPI_\w+)\(", sources, re.MULTILINE))
    listed = {line.pattern for line in lines if line.treatment == "written"}
    problems += [f"{name} is `written` in calls.txt, and in no source" for name in sorted(listed - written)]
    problems += [f"{name} is in a source, and not `written` in calls.txt" for name in sorted(written - listed)]
    print("\n".join(problems + [f"{len(functions)} functions of mpi.h, {len(problems)} problems"]))
    return 1 if problems or len(functions) < 300 else 0    # MPI 3.1 has more: a header that could not be read


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", nargs="*", default=[])
    parser.add_argument("--calls", required=True)
    parser.add_argument("--source")
    parser.add_argument("--refused")
    parser.add_argument("--check")
    options = parser.parse_args()
    functions, lines = functionsOf(options.compiler, options.include), linesOf(options.calls)
    if options.source:
        writeSource(options.source, functions, lines)
    if options.refused:
        writeRefused(options.refused, functions, lines)
    return check(options.check, functions, lines) if options.check else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Writes the functions of MPI that Fortran programs call, from calls.txt and the mpi.h of Open MPI, whose own go past the functions of C.

    generateFortranCalls.py --compiler g++ --include DIR... --calls calls.txt --source OUT.cpp

Each turns its arguments into those of C, calls the function of ferry_pmpi there, and turns back what that has changed. It has two names, that of
mpif.h and the module mpi (mpi_send_), and that of the module mpi_f08 (mpi_send_f08_); texts have their lengths behind the other arguments. Collective
calls whose arguments are not turned are made by MPI's functions for Fortran. Others are refused in regions, and handed on outside. Other MPIs call the functions of C themselves: for them it writes nothing.
"""
import argparse
import re

from generateCalls import functionsOf, lineFor, linesOf, parameterOfType, signatureOf

HANDLES = ("Comm", "Datatype", "Op", "Group", "Info", "Request", "Message", "File", "Win")
HANDLE = "MPI_(" + "|".join(HANDLES) + ")"
BEGINNINGS = ("MPI_Init", "MPI_Init_thread")    # without the arguments of C's main()
HANDED_ON = ("MPI_Buffer_detach",)    # its arguments do not mean the same as in C

HEAD = """// Made by guard/calls/generateFortranCalls.py from calls.txt and mpi.h.
#line 3 "/ferry/guard/calls/GeneratedFortranCalls.cpp"
#include <mpi.h>

#ifdef OPEN_MPI

#include <ferry/guard/calls/FortranArguments.hpp>
#include <ferry/guard/known/CallSignature.hpp>
#include <ferry/guard/known/KeptInfo.hpp>
#include <ferry/guard/region/Region.hpp>

namespace fortran = ferry::pmpi::fortran;

extern "C" {

void mpi_init_(MPI_Fint* error) { fortran::tell(error, MPI_Init(nullptr, nullptr)); }
void mpi_init_f08_(MPI_Fint* error) __attribute__((alias("mpi_init_")));

void mpi_init_thread_(MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
    fortran::tell(error, MPI_Init_thread(nullptr, nullptr, *required, provided));
}
void mpi_init_thread_f08_(MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) __attribute__((alias("mpi_init_thread_")));

"""

FOOT = """}    // extern "C"

#endif
"""


class Argument:
    """How one argument is turned: what Fortran passes, what stands before the call, in it and behind it."""
    def __init__(self, declaration, passed, before="", after="", hidden=""):
        self.declaration = declaration
        self.passed = passed
        self.before = before
        self.after = after
        self.hidden = hidden


def argumentOf(declaration, name, count):
    """None: it is not turned. count: of the elements of arrays, as Fortran passes it."""
    kind = re.sub(rf"\b{name}\b", "", declaration).replace(" ", "")
    integer = f"MPI_Fint* {name}"
    if kind == "int":
        return Argument(integer, f"*{name}")
    if kind in ("MPI_Aint", "MPI_Offset"):
        return Argument(f"{kind}* {name}", f"*{name}")
    if kind in ("int*", "MPI_Offset*"):
        return Argument(f"{kind} {name}", name)
    if kind == "int[]":
        return Argument(integer, name)
    if kind == "constint[]":
        return Argument(integer, f"fortran::integers({name})")
    if kind in ("void*", "constvoid*"):
        return Argument(f"void* {name}", f"fortran::buffer({name})")
    if kind == "constchar*":
        return Argument(f"char* {name}", f"fortran::text({name}, {name}Length).c_str()", hidden=f"std::size_t {name}Length")
    if re.fullmatch(HANDLE, kind):
        return Argument(integer, f"fortran::handle<{kind}>({name})")
    if re.fullmatch(HANDLE + r"\*", kind):
        return Argument(integer, f"{name}Now.address()", f"fortran::ChangedHandle<{kind[:-1]}> {name}Now({name});", f"{name}Now.giveBack();")
    if kind == "MPI_Request[]":
        return Argument(integer, f"{name}Now.address()", f"fortran::ChangedHandles<MPI_Request> {name}Now({name}, *{count});", f"{name}Now.giveBack();")
    if kind in ("MPI_Status*", "MPI_Status[]"):
        length = f"*{count}" if name.startswith("array_of") else "1"
        return Argument(integer, f"{name}Now.address()", f"fortran::Statuses {name}Now({name}, {length});", f"{name}Now.giveBack();")
    return None


def indicesOf(function):
    """What counts from 1 in Fortran."""
    names = [name for _, name in function.parameters]
    if function.name in ("MPI_Waitany", "MPI_Testany"):
        return f"fortran::countFromOne({names[2]}, 1);"
    if function.name in ("MPI_Waitsome", "MPI_Testsome"):
        return f"fortran::countFromOne({names[3]}, *{names[2]});"
    return ""


def namesOf(function):
    return function.name.lower() + "_", function.name.lower() + "_f08_"


def withAlias(function, parameters, body):
    plain, module = namesOf(function)
    return (f"void {plain}({parameters}) {{\n" + "".join(f"    {line}\n" for line in body if line) + "}\n"
            f"void {module}({parameters}) __attribute__((alias(\"{plain}\")));\n")


def turned(function, arguments):
    parameters = ", ".join([argument.declaration for argument in arguments] + ["MPI_Fint* error"] + [a.hidden for a in arguments if a.hidden])
    call = f"const int result = {function.name}({', '.join(argument.passed for argument in arguments)});"
    body = [argument.before for argument in arguments] + [call] + [argument.after for argument in arguments]
    return withAlias(function, parameters, body + [indicesOf(function), "fortran::tell(error, result);"])


def handedOn(function):
    names = [name for _, name in function.parameters] + ["error"] + [f"{n}Length" for d, n in function.parameters if re.match(r"(const )?char *\*", d)]
    parameters = ", ".join(f"MPI_Fint* {name}" if name == "error" else f"void* {name}" for name in names)
    original = f"p{function.name.lower()}_"
    body = ["if (ferry::pmpi::activeRegion != nullptr) {",
            f"    if (const auto refused = ferry::pmpi::refuse(\"{function.name}\", \"some arguments of the call differ in Fortran\")) return fortran::tell(error, *refused);",
            "}", f"{original}({', '.join(names)});"]
    return f"void {original}({parameters}) __attribute__((weak));\n" + withAlias(function, parameters, body)


def madeLater(function):
    """A call whose communicator comes when its request is over: the guard then gives it to the variable of Fortran."""
    (_, parent), (_, made), (_, request) = (next(p for p in function.parameters if p[0].replace(" ", "").startswith(kind))
                                            for kind in ("MPI_Commcomm", "MPI_Comm*", "MPI_Request*"))
    info = next((name for declaration, name in function.parameters if declaration.startswith("MPI_Info")), None)
    names = [name for _, name in function.parameters] + ["error"]
    given = {parent: "parent", made: "later", request: "started"} | ({info: "kept.get()"} if info else {})
    call = f"P{function.name}({', '.join(given[name] for _, name in function.parameters)})"
    original = f"p{function.name.lower()}_"
    parameters = ", ".join(f"MPI_Fint* {name}" for name in names)
    body = [f"if (ferry::pmpi::activeRegion == nullptr) return {original}({', '.join(names)});",
            f"const MPI_Comm parent = fortran::handle<MPI_Comm>({parent});",
            f"const ferry::pmpi::KeptInfo kept(fortran::handle<MPI_Info>({info}));" if info else "",
            f"fortran::ChangedHandle<MPI_Request> {request}Now({request});",
            f"const int result = ferry::pmpi::activeRegion->createLater(ferry::pmpi::{signatureOf(function)}, parent, "
            f"fortran::laterResult({made}), {request}Now.address(), "
            f"[=](MPI_Comm* later, MPI_Request* started) {{ return {call}; }});",
            f"{request}Now.giveBack();", "fortran::tell(error, result);"]
    return f"void {original}({parameters}) __attribute__((weak));\n" + withAlias(function, parameters, body)


def guardedInFortran(function, line):
    """A collective call with arrays whose lengths only MPI knows. MPI's own function for Fortran makes it, when all ranks have come."""
    names = [name for _, name in function.parameters]
    place = parameterOfType(function, "MPI_Comm")[0]
    original = f"p{function.name.lower()}_"
    parameters = ", ".join(("MPI_Fint* " if name in (place, "request") else "void* ") + name for name in names) + ", MPI_Fint* error"
    isDeferred = line.treatment == "deferred"
    given = {place: "&place"} | ({"request": "&number"} if isDeferred else {})    # the program may change its variables before the call is made
    call = f"{original}({', '.join(given.get(name, name) for name in names)}, &outcome);"
    inside = f"ferry::pmpi::{signatureOf(function)}, fortran::handle<MPI_Comm>({place})"
    body = [f"if (ferry::pmpi::activeRegion == nullptr) return {original}({', '.join(names)}, error);"]
    if isDeferred:
        body += ["fortran::ChangedHandle<MPI_Request> requestNow(request);",
                 f"const int result = ferry::pmpi::activeRegion->defer({inside}, requestNow.address(), [=, place = *{place}](MPI_Request* started) mutable {{",
                 "    MPI_Fint number = fortran::toFortran(*started), outcome = MPI_SUCCESS;", f"    {call}",
                 "    *started = MPI_Request_f2c(number);", "    return static_cast<int>(outcome);", "});", "requestNow.giveBack();"]
    else:
        body += [f"const int result = ferry::pmpi::activeRegion->collective({inside}, [=, place = *{place}]() mutable {{",
                 "    MPI_Fint outcome = MPI_SUCCESS;", f"    {call}", "    return static_cast<int>(outcome);", "});"]
    return (f"void {original}({', '.join(['void*'] * len(names))}, MPI_Fint*) __attribute__((weak));\n" +
            withAlias(function, parameters, body + ["fortran::tell(error, result);"]))


def definition(function, line):
    if line.treatment == "makes-later":
        return madeLater(function)
    count = function.parameters[0][1] if function.parameters else ""
    arguments = [argumentOf(declaration, name, count) for declaration, name in function.parameters]
    if None in arguments and line.treatment in ("collective", "deferred"):
        return guardedInFortran(function, line)
    return handedOn(function) if None in arguments or function.name in HANDED_ON else turned(function, arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", nargs="*", default=[])
    parser.add_argument("--calls", required=True)
    parser.add_argument("--source", required=True)
    options = parser.parse_args()
    functions, lines = functionsOf(options.compiler, options.include), linesOf(options.calls)
    chosen = [function for name, function in sorted(functions.items())
              if lineFor(name, lines).treatment != "local" and function.result == "int" and not name.endswith("_c") and name not in BEGINNINGS]
    with open(options.source, "w", encoding="utf-8") as file:
        file.write(HEAD + "\n".join(definition(function, lineFor(function.name, lines)) for function in chosen) + FOOT)


if __name__ == "__main__":
    main()

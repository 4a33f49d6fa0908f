#!/usr/bin/env python3
"""Writes a library that stands before the guard and lets a call of MPI fail, for programs that cannot be changed.

    generateFaultAtCall.py --calls FOLDER --compiler g++ --include DIR... --source OUT.cpp     FOLDER: of generateCalls.py

Each function counts itself, and hands the call on. FERRY_FAULT in the environment is KIND:RANK:NUMBER, where KIND is throw or exit: that rank
fails in the call of this number. With the value count, each rank prints at its end how many calls it has made.
MPI_Isend is left out: by this function the guard sees whether it stands before MPI.
"""
import argparse
import sys

NAMES = """Send Ssend Recv Irecv Sendrecv Probe Wait Waitall Waitany Test Barrier Bcast Reduce Allreduce Allgather Allgatherv Alltoall Alltoallv
Gather Gatherv Scatter Scatterv Scan Reduce_scatter Comm_dup Comm_split""".split()

HEAD = """// Made by tests/guard/publicPrograms/generateFaultAtCall.py from mpi.h.
#include <dlfcn.h>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <mpi.h>

namespace {

long callCount = 0;

int rankOfEnvironment() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"}) {
        if (const char* rank = std::getenv(name)) return std::atoi(rank);
    }
    return -1;
}

std::string wish() {
    const char* text = std::getenv("FERRY_FAULT");
    return text != nullptr ? text : "";
}

struct Counter {
    ~Counter() {
        if (wish() == "count" && callCount > 0) std::fprintf(stderr, "fault: rank %d makes %ld calls\\n", rankOfEnvironment(), callCount);
    }
} counter;

void failHere(const char* call) {
    static const std::string text = wish();
    static const std::size_t first = text.find(':');
    static const std::size_t second = text.rfind(':');
    static const bool isMine = first < second && second != text.npos && std::atoi(text.c_str() + first + 1) == rankOfEnvironment();
    static const long number = isMine ? std::atol(text.c_str() + second + 1) : -1;
    ++callCount;
    if (callCount != number) return;
    if (text.starts_with("exit")) std::exit(3);
    throw std::domain_error(std::string("fault in ") + call);
}

}    // namespace

extern "C" {

"""


def inC(function):
    declarations = ", ".join(declaration for declaration, _ in function.parameters)
    names = ", ".join(name for _, name in function.parameters)
    return (f"int {function.name}({declarations}) {{\n    static const auto next = reinterpret_cast<decltype(&{function.name})>(dlsym(RTLD_NEXT, \"{function.name}\"));\n"
            f"    failHere(\"{function.name}\");\n    return next({names});\n}}\n")


def inFortran(function):
    name, count = function.name.lower() + "_", len(function.parameters) + 1    # and the result
    declarations = ", ".join(f"void* a{i}" for i in range(count))
    return (f"void {name}({declarations}) {{\n    static const auto next = reinterpret_cast<decltype(&{name})>(dlsym(RTLD_NEXT, \"{name}\"));\n"
            f"    failHere(\"{function.name}\");\n    next({', '.join(f'a{i}' for i in range(count))});\n}}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", nargs="*", default=[])
    parser.add_argument("--source", required=True)
    options = parser.parse_args()
    sys.path.insert(0, options.calls)
    from generateCalls import functionsOf    # the path comes first
    functions = functionsOf(options.compiler, options.include)
    chosen = [functions["MPI_" + name] for name in NAMES if "MPI_" + name in functions]
    with open(options.source, "w", encoding="utf-8") as file:
        file.write(HEAD + "\n".join(inC(function) + inFortran(function) for function in chosen) + "\n}    // extern \"C\"\n")


if __name__ == "__main__":
    main()

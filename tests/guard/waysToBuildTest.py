#!/usr/bin/env python3
"""Builds programs against the installed package in each way that a user may choose, lets a rank of each fail, and prints what passed.

With g++ and clang++, without and with optimisation, and at link time; a program with guarded regions that is linked with libferry_pmpi.a, with
libferry_pmpi.so, or behind MPI with libferry_pmpi.so preloaded; and programs that know nothing of Ferry under ferryrun --guard. Functions
of C lie between the region and MPI: with tables for the unwinder, and without.
"""
import argparse
import itertools
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import LIMIT_S, Hung, Launch, areLines    # noqa: E402 (the path comes first)

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILERS = ("g++", "clang++")
OPTIMISATIONS = ("-O0", "-O2", "-O2 -flto")
RANK_COUNTS = (2, 3)
# Without this option, the optimiser assumes that C never throws, and drops destructors of the callers.
OPTIONS_OF_C = {"-O2 -flto": ["-fexceptions"]}
WITHOUT_TABLES = ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
COMPILING_S = 300


class Wrong(Exception):
    """An unexpected result."""


class Package:
    """The installed package, and the link command that docs/existing-mpi.md shows."""

    def __init__(self, options, folder):
        self.prefix = os.path.join(folder, "prefix")
        expectSuccess([options.cmake, "--install", options.build, "--prefix", self.prefix])
        self.libraries = next(path for path, _, names in os.walk(self.prefix) if "libferry_pmpi.a" in names)
        with open(os.path.join(options.source, "docs", "existing-mpi.md"), encoding="utf-8") as page:
            command = re.search(r"^By hand: `mpicxx ([^`]*)`", page.read(), re.MULTILINE).group(1)
        self.staticLine = command.replace("-LPREFIX/lib", "-L" + self.libraries).replace("PREFIX", self.prefix).split()

    def file(self, name):
        return os.path.join(self.libraries, name)

    def program(self, name):
        return os.path.join(self.prefix, "bin", name)


class Builder:
    """Programs of one compiler with some options."""

    def __init__(self, options, package, folder, compiler, optimisation, optionsOfC=()):
        self.options, self.package, self.folder = options, package, folder
        self.flags = optimisation.split()
        self.flagsOfC = [*self.flags, *optionsOfC]
        self.environment = os.environ | {"OMPI_CXX": compiler, "MPICH_CXX": compiler}

    def wrapper(self, *arguments):
        return expectSuccess([self.options.mpicxx, *arguments], cwd=self.folder, env=self.environment)

    def inC(self, source):
        self.wrapper("-x", "c", *self.flagsOfC, "-c", source, "-o", "inC.o")
        return "inC.o"

    def sources(self):
        return [*self.flags, os.path.join(HERE, "waysToBuild", "region.cpp"), self.inC(os.path.join(HERE, "waysToBuild", "sumInC.c"))]

    def sharedLine(self):
        return ["-std=c++20", "-I" + os.path.join(self.package.prefix, "include"), *self.sources(), "-L" + self.package.libraries,
                "-Wl,-rpath," + self.package.libraries]

    def static(self):
        line = [word for part in self.package.staticLine for word in (self.sources() if part == "solver.cpp" else [part])]
        self.wrapper(*line, "-o", "static")
        return [os.path.join(self.folder, "static")]

    def shared(self):
        self.wrapper(*self.sharedLine(), "-lferry_pmpi", "-o", "shared")
        return [os.path.join(self.folder, "shared")]

    def preloaded(self):
        libraries = [word for word in self.wrapper("-show").split() if re.match(r"-[Ll]|-Wl,-rpath|-Wl,--enable-new-dtags", word)]
        self.wrapper(*self.sharedLine(), "-Wl,--no-as-needed", *libraries, "-lferry_pmpi", "-o", "preloaded")
        return ["env", "LD_PRELOAD=" + self.package.file("libferry_pmpi.so"), os.path.join(self.folder, "preloaded")]

    def whole(self):
        self.wrapper("-std=c++20", *self.flags, os.path.join(self.options.source, "tests", "preload", "plainProgram.cpp"), "-o", "whole")
        return os.path.join(self.folder, "whole")

    def wholeInC(self):
        self.wrapper(self.inC(os.path.join(self.options.source, "tests", "preload", "plainProgram.c")), *self.flags, "-o", "wholeInC")
        return os.path.join(self.folder, "wholeInC")


def run(command, timeout, **more):
    try:
        return Launch(command, timeout, **more).finish()
    except Hung as hang:
        raise Wrong(str(hang)) from hang


def expectSuccess(command, **more):
    done = run(command, COMPILING_S, **more)
    if done.returncode != 0:
        raise Wrong(f"status {done.returncode} of {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(done, isRight, wanted):
    if not isRight:
        raise Wrong(f"expected {wanted}, found status {done.returncode} of {' '.join(done.args)}\n{done.stdout}{done.stderr}")


def launch(options, rankCount, program):
    return run([options.mpiexec, "-np", str(rankCount), *program], LIMIT_S)


def launchWhole(options, package, rankCount, *program):
    command = [sys.executable, "-B", package.program("ferryrun"), "--guard", "--launcher", options.mpiexec, "-np", str(rankCount), *program]
    return run(command, LIMIT_S)


def checkRegion(options, program):
    """Requires that all ranks are unwound and told, and that the second run succeeds."""
    for rankCount in RANK_COUNTS:
        wanted = []
        for rank in range(rankCount):
            wanted += [f"rank {rank} unwound", f"rank {rank} caught 1 failure, on rank {rankCount - 1}: the matrix is singular",
                       f"rank {rank} has sum {rankCount * (rankCount - 1) // 2}"]
        done = launch(options, rankCount, program)
        expect(done, done.returncode == 0 and areLines(done.stdout, wanted), f"status 0 and {wanted}")


def checkWhole(options, package, builder):
    program, programInC = builder.whole(), builder.wholeInC()
    for rankCount in RANK_COUNTS:
        last = rankCount - 1
        done = launchWhole(options, package, rankCount, program, "throws")
        unwound = sorted(re.findall(r"rank (\d+) unwound", done.stdout))
        told = rf"(?s)every rank exits with status 1\n.*std::domain_error on rank {last} .*the plate is too hot"
        expect(done, done.returncode == 1 and unwound == [str(rank) for rank in range(rankCount)] and re.search(told, done.stderr),
               f"status 1, {rankCount} ranks unwound, and the failure of rank {last}")
        done = launchWhole(options, package, rankCount, programInC, "7")
        told = f"rank {last} ended its program with status 7 in the middle of MPI"
        expect(done, done.returncode == 7 and told in done.stderr, f"status 7 and '{told}'")


def checkRegionWithoutTables(options, program):
    """Requires that the job ends with the reason, on the rank that throws through C or on the ranks that wait behind it."""
    for rankCount, command in itertools.product(RANK_COUNTS, (program, [*program, "beside"])):
        done = launch(options, rankCount, command)
        expect(done, done.returncode != 0 and "the matrix is singular" in done.stderr and "has sum" not in done.stdout,
               "an end of the job with what was thrown")


def checkWholeWithoutTables(options, package, builder):
    """Requires a warning in advance, and a normal run."""
    program = builder.wholeInC()
    for rankCount in RANK_COUNTS:
        done = launchWhole(options, package, rankCount, program)
        told = r"^ferry: this program is not guarded: .*functions without unwind tables.*\n$"
        expect(done, (done.returncode, done.stdout) == (0, "1 2 3\n") and re.search(told, done.stderr), f"status 0 and {told}")


def canLink(builder):
    """Link-time optimisation of clang needs a part of the linker that may be missing."""
    try:
        builder.wholeInC()
        return True
    except Wrong:
        return False


class Table:
    """Prints each result when it is there, and counts the results."""

    def __init__(self):
        self.passed = self.failed = 0

    def add(self, name, check):
        try:
            check()
            self.passed += 1
            print(f"{name}passed", flush=True)
        except Wrong as wrong:
            self.failed += 1
            print(f"{name}FAILED: {wrong}", flush=True)


def checkCompiler(options, package, folder, compiler, table):
    for optimisation in OPTIMISATIONS:
        builder = Builder(options, package, folder, compiler, optimisation, OPTIONS_OF_C.get(optimisation, ()))
        name = f"{compiler:8} {optimisation:10} "
        if "-flto" in optimisation and not canLink(builder):
            print(f"{name} left out: {compiler} cannot link with it here")
            continue
        for way in (builder.static, builder.shared, builder.preloaded):
            table.add(f"{name} {way.__name__:10} ", lambda way=way: checkRegion(options, way()))
        table.add(f"{name} {'whole':10} ", lambda: checkWhole(options, package, builder))
    builder = Builder(options, package, folder, compiler, "-O2", WITHOUT_TABLES)
    name = f"{compiler:8} C without tables: "
    table.add(name + "static ", lambda: checkRegionWithoutTables(options, builder.static()))
    table.add(name + "whole  ", lambda: checkWholeWithoutTables(options, package, builder))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("cmake", "build", "source", "mpicxx", "mpiexec"):
        parser.add_argument("--" + option, required=True)
    options = parser.parse_args()
    table = Table()
    with tempfile.TemporaryDirectory() as folder:
        package = Package(options, folder)
        for compiler in COMPILERS:
            if shutil.which(compiler):
                checkCompiler(options, package, folder, compiler, table)
            else:
                print(f"{compiler:8} left out: it is not installed")
    print(f"{table.passed} passed, {table.failed} failed")
    return 1 if table.failed or not table.passed else 0


if __name__ == "__main__":
    sys.exit(main())

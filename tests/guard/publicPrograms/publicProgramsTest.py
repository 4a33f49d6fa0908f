#!/usr/bin/env python3
"""Programs of Debian, unchanged, with the guard before them: RANKS, LIBRARY, the library of faults, LAUNCHER [NAME...].

Each program runs a small case without and with the guard: the results must be equal. Then one rank fails at some of its calls of MPI: it
throws, or calls exit(). Each run must end with one report that names the rank. A table tells what happened. Programs that are not installed
are named in it.
"""
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from launching import Hung, run    # noqa: E402 (the path comes first)

PLACES = (0.02, 0.5, 0.98)    # of a fault among the calls of the rank

MELT = """units lj
lattice fcc 0.8442
region box block 0 4 0 4 0 4
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
fix 1 all nve
thermo 50
run 100
write_data melt.data
"""
MUMPS = "5 :N\n12 :NZ\n1 2 3.0\n2 3 -3.0\n4 3 2.0\n5 5 1.0\n2 1 3.0\n1 1 2.0\n5 2 4.0\n3 4 2.0\n2 5 6.0\n3 2 -1.0\n1 3 4.0\n3 3 1.0\n20.0\n24.0\n9.0\n6.0\n13.0\n"
SCALAPACK = "/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests/"


class Program:
    """A program and its small case. Equal must be the lines of standard output, and of the files in `results`, in which `kept` is found, in any
    order. A file without text comes with the package."""

    def __init__(self, name, command, files, results=(), kept="", stdin=None):
        self.name, self.command, self.files, self.results, self.kept, self.stdin = name, command, files, results, kept, stdin

    def isThere(self):
        return shutil.which(self.command[0]) is not None


PASSED = r"tests (?:completed|were|,)|Finished"
PROGRAMS = [
    Program("LAMMPS", ["lmp", "-in", "in.melt"], {"in.melt": MELT}, ["melt.data"], kept=r"^ *-?\d[-\d. e+]*$"),
    Program("ScaLAPACK (Cholesky)", [SCALAPACK + "xdllt"], {"LLT.dat": None}, kept=PASSED),
    Program("MUMPS", ["/usr/lib/mumps/dsimpletest"], {"input": MUMPS}, kept="Solution is", stdin="input"),
]


class Runs:
    def __init__(self, ranks, guard, faults, launcher):
        self.ranks, self.guard, self.faults, self.launcher = ranks, guard, faults, launcher

    def launch(self, program, folder, libraries, fault=""):
        for name, text in program.files.items():
            path = os.path.join(folder, name)
            if text is None:    # of the package
                shutil.copy(SCALAPACK + name, path)
            else:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
        variables = ["-x", "LD_PRELOAD=" + ":".join(libraries)] if libraries else []
        command = [self.launcher, "-n", str(self.ranks), *variables, "-x", f"FERRY_FAULT={fault}", *program.command]
        stdin = open(os.path.join(folder, program.stdin), encoding="utf-8") if program.stdin else None
        try:
            return run(command, cwd=folder, stdin=stdin, env=os.environ | {"FERRY_FAULT": fault, "OMP_NUM_THREADS": "1"})
        finally:
            if stdin:
                stdin.close()

    def results(self, program, folder, done):
        """The lines that must be equal. The lines of the ranks come in any order."""
        texts = [done.stdout]
        for name in program.results:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                texts.append(file.read())
        return [sorted(line for line in text.splitlines() if re.search(program.kept, line)) for text in texts]

    def tryOne(self, program):
        """The row of the table, and the problems."""
        problems = []
        with tempfile.TemporaryDirectory() as folder:
            plain = self.launch(program, folder, [])
            before = self.results(program, folder, plain)
            if plain.returncode != 0:
                return "does not run here", [f"{program.name}: status {plain.returncode} without the guard: {plain.stderr[-400:]}"]
        with tempfile.TemporaryDirectory() as folder:
            counted = self.launch(program, folder, [self.faults, self.guard], "count")
            if counted.returncode != 0 or "ferry:" in counted.stderr:
                problems.append(f"{program.name}: status {counted.returncode} with the guard: {counted.stderr[-400:]}")
            elif not any(before):
                problems.append(f"{program.name}: there is no result to compare: {plain.stdout[-400:]}")
            elif self.results(program, folder, counted) != before:
                problems.append(f"{program.name}: the result differs with the guard")
            counts = {int(rank): int(count) for rank, count in re.findall(r"fault: rank (\d+) makes (\d+) calls", counted.stderr)}
        ended = hung = 0
        for rank, count in sorted(counts.items()):
            for place in PLACES:
                for kind in ("throw", "exit"):
                    number = max(1, int(place * count))
                    outcome = self.tryFault(program, kind, rank, number)
                    if outcome == "":
                        ended += 1
                    else:
                        hung += outcome.startswith("hangs")
                        problems.append(f"{program.name}, {kind} on rank {rank} in call {number} of {count}: {outcome}")
        return f"{sum(counts.values())} calls, {ended + len(problems)} faults, {ended} reports, {hung} hangs", problems

    def tryFault(self, program, kind, rank, number):
        with tempfile.TemporaryDirectory() as folder:
            try:
                done = self.launch(program, folder, [self.faults, self.guard], f"{kind}:{rank}:{number}")
            except Hung:
                return "hangs"
        told = rf"std::domain_error on rank {rank} " if kind == "throw" else rf"rank {rank} ended its program with status 3"
        if done.stderr.count("ferry: the job was stopped") != 1 or not re.search(told, done.stderr):
            return f"no report, status {done.returncode}: {done.stderr[-300:]}"
        return "" if done.returncode == (1 if kind == "throw" else 3) else f"status {done.returncode}"


def main():
    ranks, guard, faults, launcher, *names = sys.argv[1:]
    runs, failures = Runs(int(ranks), guard, faults, launcher), []
    for program in PROGRAMS:
        if names and program.name not in names:
            continue
        if not program.isThere():
            print(f"| {program.name} | not installed |", flush=True)
            continue
        row, problems = runs.tryOne(program)
        failures += problems
        print(f"| {program.name} | {row} |", flush=True)
        for problem in problems:
            print("    " + problem.replace("\n", "\n    "), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

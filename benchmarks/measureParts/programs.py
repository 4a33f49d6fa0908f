"""The programs that `benchmarks/measure` runs."""
import dataclasses
import os


@dataclasses.dataclass(frozen=True)
class Program:
    """A program of the build, or a script of this folder, with its arguments. `{build}` and `{folder}` stand for the folders of the build and of
    the outputs."""
    words: tuple
    ranks: int = 0    # 0: without mpirun
    limitS: int = 600
    environment: dict = dataclasses.field(default_factory=dict)

    def commandLine(self, root, build, folder):
        first, *rest = self.words
        path = root / first if "/" in first else build / "bin" / first
        launcher = ["mpirun", "-np", str(self.ranks)] if self.ranks else []
        return [*launcher, str(path), *(word.format(build=build, folder=folder) for word in rest)]

    def text(self, build):
        """The command as a user types it."""
        first, *rest = self.words
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        launcher = ["mpirun", "-np", str(self.ranks)] if self.ranks else []
        path = first if "/" in first else f"{os.path.relpath(build)}/bin/{first}"
        return " ".join([*variables, *launcher, path, *(word.format(build=os.path.relpath(build), folder=".") for word in rest)])


PROGRAMS = {
    "serialization": Program(("benchSerializationO3",)),
    "views": Program(("benchViewsO3",)),
    "viewsSent": Program(("benchViewsO3",), ranks=2),
    "graph": Program(("benchGraph",), limitS=900),
    "graphSent": Program(("benchGraph",), ranks=2, limitS=900),
    "files": Program(("benchFiles", "{folder}")),
    "messages": Program(("benchConnector",), ranks=2),
    "messagesByLetters": Program(("benchConnector",), ranks=2, environment={"FERRY_HOST_MEMORY": "off"}),
    "collectives2": Program(("benchCollectives",), ranks=2),
    "collectives4": Program(("benchCollectives",), ranks=4),
    "structs": Program(("benchStructs",), ranks=2),
    "algorithms": Program(("benchAlgorithms",), ranks=2),
    "exceptions": Program(("benchExceptions", "--ferry-slaves", "1")),
    "regionsOnThreads": Program(("benchGuarded",)),
    "regions2": Program(("benchGuarded",), ranks=2),
    "regions16": Program(("benchGuarded",), ranks=16),
    "guard": Program(("benchmarks/guardOverhead", "{build}")),
    "jobs": Program(("benchJobs",), ranks=3),
    "scale": Program(("benchScale", "10000", "100", "255", "10000", "10000", "1", "1")),
    "scale100000": Program(("benchScale", "100000", "20", "255", "10000", "10000", "1", "1")),
    "startStop": Program(("benchStartStop", "10000")),
    "compileTime": Program(("benchmarks/compileTime", "--build", "{build}")),
}

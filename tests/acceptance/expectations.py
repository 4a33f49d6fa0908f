"""What each acceptance program must do, as its first comment says. A check returns the list of what is wrong with a run."""
import re
import socket


def exactOutput(source):
    """The indented lines that the first comment of a program lists below one that ends with "exactly:"."""
    lines = []
    listing = False
    with open(source, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("//   " if listing else "//"):
                break
            if listing:
                lines.append(line[len("//   "):].rstrip("\n"))
            listing = listing or line.rstrip().endswith("exactly:")
    if not lines:
        raise ValueError(f"{source}: the first comment lists no standard output")
    return lines


def lineOf(source, text):
    with open(source, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if text in line:
                return number
    raise ValueError(f"{source}: no line with {text!r}")


def withoutLauncherNotes(lines):
    """Standard error without the framed notes by which mpirun says that a rank ended with a status other than 0."""
    kept = []
    note = None
    for line in lines:
        if re.fullmatch(r"-{60,}", line):
            if note is None:
                note = []
            else:
                if not any("non-zero" in text for text in note):
                    kept += note
                note = None
        elif note is not None:
            note.append(line)
        else:
            kept.append(line)
    return kept + (note or [])


PROGRESS = re.compile(r"ferry: \d+ of \d+ tasks \(\d+ %\), .*|ferry: \d+ tasks in .* s(, \d+ of them failed)?| {4}rank +tasks +busy .*| {4} *\d+ +\d+ +\d+ %.*")


def withoutProgress(lines):
    """Standard error without what Ferry says about a job that takes half a minute, as each job may on a busy machine."""
    return [line for line in lines if not PROGRESS.fullmatch(line)]


def checkExactOutput(result, source, ranks):
    problems = []
    if result.status != 0:
        problems.append(f"exit status {result.status} instead of 0")
    if result.output() != exactOutput(source):
        problems.append("standard output is not what the first comment lists")
    if withoutProgress(result.errors()):
        problems.append("standard error is not empty")
    return problems


def checkSurvivors(result, source, ranks):
    """The output comes in any order. Standard error tells of the lost rank, and Open MPI adds lines of its own."""
    problems = []
    if result.status != 0:
        problems.append(f"exit status {result.status} instead of 0")
    if not result.isOutputInAnyOrder(exactOutput(source)):
        problems.append("standard output is not what the first comment lists")
    if not any("rank 2 was killed or has crashed" in line for line in result.errors()):
        problems.append("standard error does not tell of rank 2")
    return problems


def checkAssertion(result, source, ranks):
    problems = []
    expected = [f"slave {rank} unwound" for rank in range(1, ranks)]
    if not result.isOutputInAnyOrder(expected):
        problems.append(f"standard output is not the {len(expected)} lines of unwound slaves")
    return problems + checkFailureStatus(result, ranks) + checkReport(withoutLauncherNotes(result.errors()), source, ranks)


def checkFailureStatus(result, ranks):
    """Every rank ends with one status that is not 0 and is no signal."""
    if result.rankStatuses is None:
        good = result.status is not None and 0 < result.status < 128
        return [] if good else [f"exit status {result.status} instead of one between 1 and 127"]
    statuses = [result.rankStatuses.get(rank) for rank in range(ranks)]
    good = len(set(statuses)) == 1 and statuses[0] is not None and 0 < statuses[0] < 128
    return [] if good else [f"exit statuses of the ranks {statuses} instead of one between 1 and 127 on all"]


def checkReport(lines, source, ranks):
    """Standard error holds exactly one report, with everything that the first comment asks for."""
    text = "\n".join(lines)
    line = lineOf(source, "xassert(seats <= capacity")
    wanted = {
        "xassert": r"xassert",
        "the expression": r"seats <= capacity",
        "both values": r"\b31\b[^\n]*\b30\b",
        "the message": r"room B-12",
        "file and line": rf"assertion\.cpp\W{{1,3}}(?:line )?{line}\b",
        "the host": re.escape(socket.gethostname()),
    }
    problems = [f"the report lacks {what}" for what, pattern in wanted.items() if not re.search(pattern, text)]
    failed = re.search(r"\brank (\d+)\b", text)
    if not failed or not 0 < int(failed.group(1)) < ranks:
        problems.append("the report does not name the slave's rank")
    if text.count("seats <= capacity") > 1 or text.count("xassert") > 1:
        problems.append("more than one report")
    return problems


def checkGuarded(result, source, ranks):
    problems = []
    if result.status != 0:
        problems.append(f"exit status {result.status} instead of 0")
    expected = [f"rank {rank}: 1 failure, first on rank 1: matrix is singular" for rank in range(ranks)]
    expected += [f"rank {rank}: sum afterwards {sum(range(ranks))}" for rank in range(ranks)]
    if not result.isOutputInAnyOrder(expected):
        problems.append("standard output is not the two lines of each rank")
    if withoutProgress(result.errors()):
        problems.append("standard error is not empty")
    return problems


CHECKS = {
    "assertion": checkAssertion,
    "besides_mpi": checkExactOutput,
    "collectives": checkExactOutput,
    "conversation": checkExactOutput,
    "device": checkExactOutput,
    "guarded": checkGuarded,
    "objects": checkExactOutput,
    "keep": checkExactOutput,
    "owned": checkExactOutput,
    "plain_task": checkExactOutput,
    "team": checkExactOutput,
    "squares": checkExactOutput,
    "survivors": checkSurvivors,
}
FAILING = {"assertion"}    # programs that end with a failure: the exit status of every rank matters
FAILURE_MARK = {"assertion": "unwound"}    # the first line of output with this word is the earliest sign of the failure

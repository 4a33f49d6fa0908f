"""Runs one program as threads or under mpirun and watches it: output with times, exit status of every rank, hangs, leftovers."""
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import LIMIT_S, areLines, commandLine, kill, killAll, newMark, processesOf, stacksOf, withMark    # noqa: E402,F401 (the path comes first)

# Seconds that Open MPI's launcher leaves ranks, before SIGTERM and again before SIGKILL, when one has ended with a status other than 0.
GRACE = "OMPI_MCA_odls_base_sigkill_timeout"
LEFTOVER_GRACE_S = 10      # how long processes may need to vanish after the launcher has ended, on a loaded machine

# Runs "$@" as one rank and leaves its exit status in the folder $FERRY_TEST_STATUS.
RECORD_STATUS = '"$@"; status=$?; echo $status > "$FERRY_TEST_STATUS/$OMPI_COMM_WORLD_RANK"; exit $status'


class JobResult:
    """What one run did. Statuses: `status` of the launcher (or of the only process), `rankStatuses` of each rank if recorded."""
    def __init__(self):
        self.command = []
        self.status = None
        self.rankStatuses = None
        self.outputLines = []    # (seconds since the launch, text) of standard output
        self.errorLines = []     # the same of standard error
        self.seconds = 0.0
        self.hung = False
        self.stacks = ""         # where the processes of a hung run were
        self.leftOver = []       # command lines of processes that outlived the launcher

    def output(self):
        return [text for _, text in self.outputLines]

    def errors(self):
        return [text for _, text in self.errorLines]

    def isOutputInAnyOrder(self, lines):
        return areLines("\n".join(self.output()), lines)


def collect(stream, begin, lines):
    for raw in stream:
        lines.append((time.monotonic() - begin, raw.decode(errors="replace").rstrip("\n")))


def jobEnvironment(mark):
    environment = withMark(mark)
    for name, value in (("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
                        ("OMPI_MCA_rmaps_base_oversubscribe", "1"), ("OMPI_MCA_btl_base_warn_component_unused", "0"),
                        (GRACE, "0")):
        environment.setdefault(name, value)
    return environment


def addJobOptions(parser):
    """The options of every driver that runs one program many times."""
    parser.add_argument("program", type=os.path.abspath, help="the built program")
    parser.add_argument("--ranks", type=int, required=True, help="number of ranks, the master included")
    parser.add_argument("--launcher", choices=["threads", "mpirun"], required=True)
    parser.add_argument("--mpiexec", default="mpirun", help="the launcher of the MPI library")
    parser.add_argument("--repeat", type=int, default=1, help="number of runs")
    parser.add_argument("--timeout", type=float, default=LIMIT_S, help="seconds after which a run counts as hung")


def parseJobOptions(parser):
    options = parser.parse_args()
    if options.ranks < 1 or options.repeat < 1:
        parser.error("at least 1 rank and 1 run")
    return options


def jobCommand(options, programArguments, recordRanks):
    program = [options.program, *programArguments]
    if options.launcher == "threads":
        return program + (["--ferry-slaves", str(options.ranks - 1)] if options.ranks > 1 else [])
    if recordRanks:
        return [options.mpiexec, "--mca", "orte_abort_on_non_zero_status", "0", "-np", str(options.ranks), "sh", "-c", RECORD_STATUS, "sh"] + program
    return [options.mpiexec, "-np", str(options.ranks)] + program


def runJob(options, programArguments=(), recordRanks=False, variables=None, watcher=None):
    """Runs the program once as the options (of addJobOptions) say.

    With `recordRanks` every rank's exit status is kept, if there are several. mpirun is then told not to kill the other ranks when the first
    one ends with a status other than 0 (its own status is then always 0 and says nothing). `variables` are added to the environment.
    `watcher(result, mark)` is a context manager that is entered while the job runs.
    """
    result = JobResult()
    mark = newMark()
    recordRanks = recordRanks and options.launcher == "mpirun"
    result.command = jobCommand(options, programArguments, recordRanks)
    environment = jobEnvironment(mark) | (variables or {})
    with tempfile.TemporaryDirectory() as statusFolder:
        if recordRanks:
            environment["FERRY_TEST_STATUS"] = statusFolder
        with watcher(result, mark) if watcher else contextlib.nullcontext():
            watch(result, environment, mark, options.timeout)
        if recordRanks:
            result.rankStatuses = readStatuses(statusFolder)
    return result


def endProblems(result, options):
    """What is wrong with the end of a run, whatever the program should do."""
    problems = [f"hung: no end within {options.timeout:g} s"] if result.hung else []
    if result.leftOver:
        problems.append("processes left over: " + "; ".join(result.leftOver))
    return problems


def showFailure(name, result, problems):
    print(f"{name} failed: " + "; ".join(problems))
    print("  command: " + " ".join(result.command))
    print(f"  exit status {result.status}, ranks {result.rankStatuses}, {result.seconds:.2f} s")
    for title, lines in (("standard output", result.outputLines), ("standard error", result.errorLines)):
        print(f"  {title}, {len(lines)} lines:")
        for seconds, text in lines[-40:]:
            print(f"    {seconds:7.3f} s | {text}")
    if result.stacks:
        print(result.stacks)
    sys.stdout.flush()


def readStatuses(folder):
    statuses = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="ascii") as file:
            statuses[int(name)] = int(file.read().strip() or -1)
    return statuses


def watch(result, environment, mark, timeoutS):
    begin = time.monotonic()
    job = subprocess.Popen(result.command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           start_new_session=True)
    readers = [threading.Thread(target=collect, args=(job.stdout, begin, result.outputLines), daemon=True),
               threading.Thread(target=collect, args=(job.stderr, begin, result.errorLines), daemon=True)]
    for reader in readers:
        reader.start()
    try:
        result.status = job.wait(timeoutS)
        result.seconds = time.monotonic() - begin
        end = time.monotonic() + LEFTOVER_GRACE_S
        while processesOf(mark) and time.monotonic() < end:
            time.sleep(0.02)
        result.leftOver = [commandLine(process) for process in processesOf(mark)]
    except subprocess.TimeoutExpired:
        result.hung = True
        result.seconds = time.monotonic() - begin
        result.stacks = stacksOf(processesOf(mark))
    finally:
        killAll(mark)
        if job.poll() is None:
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()
        for reader in readers:
            reader.join(10)
        job.stdout.close()
        job.stderr.close()

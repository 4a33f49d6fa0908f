"""Runs one program as threads or under mpirun and watches it: output with times, exit status of every rank, hangs, leftovers."""
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import uuid

MARK = "FERRY_TEST_JOB"    # every process of a job carries this variable, so that none is overlooked at the end
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


def processesOf(mark):
    """The ids of the live processes that carry a mark; zombies do not count."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if f"{MARK}={mark}".encode() not in file.read().split(b"\0"):
                    continue
            with open(f"/proc/{name}/stat", "rb") as file:
                state = file.read().rpartition(b")")[2].split()[0]
        except (OSError, IndexError):
            continue
        if state not in (b"Z", b"X"):
            found.append(int(name))
    return found


def commandLine(process):
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return f"{process}: " + file.read().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return f"{process}: (gone)"


def kill(processes):
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except OSError:
            pass


def stacksOf(processes):
    """The stacks of all threads of some processes, when gdb is there."""
    if shutil.which("gdb") is None:
        return "(no gdb: no stacks)"
    texts = []
    for process in processes[:20]:
        try:
            done = subprocess.run(["gdb", "-p", str(process), "-batch", "-ex", "thread apply all backtrace 40"], capture_output=True,
                                  text=True, errors="replace", timeout=60, stdin=subprocess.DEVNULL)
            frames = [line for line in done.stdout.splitlines() if line.startswith(("#", "Thread"))]
        except subprocess.TimeoutExpired:
            frames = ["(gdb did not answer)"]
        texts.append("\n".join([commandLine(process)] + frames))
    return "\n".join(texts)


def collect(stream, begin, lines):
    for raw in stream:
        lines.append((time.monotonic() - begin, raw.decode(errors="replace").rstrip("\n")))


def jobEnvironment(mark):
    environment = dict(os.environ)
    environment[MARK] = mark
    for name, value in (("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
                        ("OMPI_MCA_rmaps_base_oversubscribe", "1"), ("OMPI_MCA_btl_base_warn_component_unused", "0")):
        environment.setdefault(name, value)
    return environment


def runJob(program, ranks, launcher, timeoutS, mpiexec="mpirun", recordRanks=False):
    """Runs `program` with `ranks` ranks; `launcher` is "threads" or "mpirun".

    With `recordRanks` every rank's exit status is kept. mpirun is then told not to kill the other ranks when the first one ends with
    a status other than 0 (its own status is then always 0 and says nothing).
    """
    result = JobResult()
    mark = uuid.uuid4().hex
    environment = jobEnvironment(mark)
    with tempfile.TemporaryDirectory() as statusFolder:
        if launcher == "threads":
            result.command = [program, "--ferry-slaves", str(ranks - 1)]
        elif recordRanks:
            environment["FERRY_TEST_STATUS"] = statusFolder
            result.command = [mpiexec, "--mca", "orte_abort_on_non_zero_status", "0", "-np", str(ranks),
                              "sh", "-c", RECORD_STATUS, "sh", program]
        else:
            result.command = [mpiexec, "-np", str(ranks), program]
        watch(result, environment, mark, timeoutS)
        if recordRanks and launcher == "mpirun":
            result.rankStatuses = readStatuses(statusFolder)
    return result


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
        while processes := processesOf(mark):    # also those that a dying launcher still starts
            kill(processes)
            time.sleep(0.05)
        if job.poll() is None:
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()
        for reader in readers:
            reader.join(10)
        job.stdout.close()
        job.stderr.close()

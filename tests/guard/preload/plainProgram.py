"""A Python program that knows nothing of Ferry. The argument selects the fault; the last rank is the one that fails.

Each rank writes a file into the folder OUT, which it closes when it leaves.
"""
import os
import pickle
import signal
import sys
import threading
import traceback

from mpi4py import MPI

world = MPI.COMM_WORLD
isLast = world.rank == world.size - 1


class OwnError(Exception):
    pass


def overheat():
    raise OwnError("the plate is too hot")


def chained():
    try:
        overheat()
    except OwnError as error:
        raise ValueError("no plate") from error


def leaves(status):
    sys.exit(status)


def leavesAndIsCaught():
    try:
        sys.exit(4)
    except SystemExit as error:
        assert (error.code, str(error), error.args, type(error).__name__) == (4, "4", (4,), "SystemExit")
    overheat()


def raises(status):
    raise SystemExit(status)


def interrupts():
    raise KeyboardInterrupt


def interruptsItself():
    signal.raise_signal(signal.SIGINT)


def catchesItsInterrupt():
    try:
        interruptsItself()
    except KeyboardInterrupt:
        return
    print("wrong: no KeyboardInterrupt")


def leavesAThread():
    """Python ends the thread without a word, and the program goes on."""
    thread = threading.Thread(target=leaves, args=(3,))
    thread.start()
    thread.join()


def leaveIsPickled():
    try:
        sys.exit(4)
    except SystemExit as error:
        assert (copy := pickle.loads(pickle.dumps(error))).code == 4 and type(copy) is SystemExit


def hasOwnHook():
    sys.excepthook = lambda kind, value, trace: print("own hook:", value, file=sys.stderr, flush=True)
    overheat()


class Over(Exception):
    """Ends the work of this rank alone, which then comes to its end."""


def failsInAThread():
    thread = threading.Thread(target=overheat)
    thread.start()
    thread.join()
    raise Over


def printsAndEnds():
    try:
        overheat()
    except OwnError:
        traceback.print_exc()
    raise Over


def abortsInAHandler():
    try:
        overheat()
    except OwnError:
        world.Abort(7)


def exitsInAHandler():
    try:
        overheat()
    except OwnError:
        sys.exit(3)


def waitsInAHandler():
    try:
        overheat()
    finally:
        world.Barrier()


def waitsBesideAThread():
    """The thread waits for ever, as those of numerical libraries do."""
    lock = threading.Lock()
    lock.acquire()
    threading.Thread(target=lock.acquire, daemon=True).start()
    world.recv(source=0, tag=11)


def forks():
    child = os.fork()
    if child == 0:
        sys.exit(3)    # runs the handlers of atexit, one of which finalises MPI
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3


class Together:
    """As a parallel file: all ranks leave the block together."""
    def __init__(self):
        self.own = world.Dup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.own.barrier()
        self.own.Free()


def leavesABlockAlone():
    with Together():
        if isLast:
            overheat()
        world.barrier()


TROUBLES = {"works": lambda: None, "overheat": overheat, "chained": chained, "exit3": lambda: leaves(3), "exit0": lambda: leaves(0), "caught": leavesAndIsCaught,
            "thread": failsInAThread, "prints": printsAndEnds, "aborts": abortsInAHandler, "exitsHandling": exitsInAHandler, "waitsHandling": waitsInAHandler,
            "besideThread": waitsBesideAThread, "forks": forks, "exitText": lambda: leaves("the text of the end"), "raise3": lambda: raises(3), "interrupts": interrupts, "interruptsItself": interruptsItself,
            "catchesItsInterrupt": catchesItsInterrupt, "leavesAThread": leavesAThread, "leaveIsPickled": leaveIsPickled, "ownHook": hasOwnHook}


def compute(way):
    requests = [world.isend(world.rank, (world.rank + 1) % world.size, 7), world.irecv(source=(world.rank - 1) % world.size, tag=7)]
    requests[0].wait()
    left = requests[1].wait()
    assert left == (world.rank - 1) % world.size
    for step in range(4):
        if step == 2 and isLast:
            TROUBLES[way]()
        if way == "everywhere" and step == 2:
            overheat()
        if way == "block" and step == 2:
            leavesABlockAlone()
        assert world.bcast({"step": step}, root=0) == {"step": step}
        assert world.allreduce(1) == world.size


def main(way):
    with open(os.path.join(os.environ["OUT"], f"rank{world.rank}.txt"), "w", encoding="utf-8") as file:
        file.write(f"results of rank {world.rank}\n")
        try:
            compute("works" if way in ("goesOn", "endsByExit", "endsByRaise") else way)
        except Over:
            pass
        except MPI.Exception as error:
            print(f"rank {world.rank} is woken: {error}", flush=True)
            raise
        finally:
            print(f"rank {world.rank} cleaned up", flush=True)
    if way == "endsByExit":
        sys.exit(0)
    if way == "endsByRaise":
        raise SystemExit(0)
    if way == "goesOn" and isLast:
        overheat()
    if way == "goesOn":
        for _ in range(3):    # a program that goes on gets the same error again
            try:
                world.barrier()
            except MPI.Exception as error:
                print(f"rank {world.rank} goes on: {error}", flush=True)


TROUBLES["everywhere"] = TROUBLES["block"] = lambda: None
main(sys.argv[1])

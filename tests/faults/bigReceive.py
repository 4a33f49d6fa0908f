"""Rank 0 of bigReceive has too little memory for what rank 1 sends: in every way all ranks end, in time, and rank 0 tells why. In bigReply one
task of a job fails for it, and all others are done.

bigReceive.py BIG_RECEIVE BIG_REPLY MPIRUN NUMPROC_FLAG WAY
WAY: reply or task of bigReply; plain, guarded, bcast, gather or uncaught of bigReceive. Each has an entry of its own, so that none takes
the time of another.
"""
import subprocess
import sys

limitKilobytes = 700_000    # limit for the address space; the message has 800 MiB
limitSeconds = 200


def limited(words):
    return ["sh", "-c", f"ulimit -v {limitKilobytes}; exec {words}"]


def jobFault(program, launcher, flag, way):
    """The fault of the job, or None."""
    free = [program, "800", way, "--ferry-quiet"]
    tight = limited(" ".join(free))
    master, slaves = (tight, free) if way == "reply" else (free, tight)
    done = run([launcher, flag, "1"] + master + [":", flag, "2"] + slaves)
    print(f"{way}: status {done.returncode}")
    isRight = done.returncode == 0 and "11 done, 1 without memory" in done.stdout
    return None if isRight else done.stdout + done.stderr


def receiveFault(program, launcher, flag, way):
    """The fault of the two ranks, or None."""
    done = run([launcher, flag, "1"] + limited(f"{program} 800 {way}") + [":", flag, "1", program, "800", way])
    text = done.stdout + done.stderr
    isTold = "memory" in text or "bad_alloc" in text
    isStopped = done.returncode != 0 and "ferry: the job was stopped" in text
    isPast = done.returncode == 0 and text.count("is past the barrier") == 2
    # Rank 0 of the gather has no memory for its own value either. Rank 0 never enters the gather, so the ranks do not agree
    # afterwards.
    isEnded = isStopped if way == "uncaught" else isStopped or isPast if way == "gather" else isPast
    print(f"{way}: status {done.returncode}, {'told' if isTold else 'not told'}")
    isRight = isTold and isEnded and "eadlock" not in text and "received 8388" not in text
    return None if isRight else text


def run(command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limitSeconds, check=False)


def main():
    program, jobProgram, launcher, flag, way = sys.argv[1:6]
    try:
        if way in ("reply", "task"):
            fault = jobFault(jobProgram, launcher, flag, way)
        else:
            fault = receiveFault(program, launcher, flag, way)
    except subprocess.TimeoutExpired:
        fault = f"hangs for {limitSeconds} s"
    if fault is not None:
        print(f"FAULT {way}: {fault}")
    return 0 if fault is None else 1


if __name__ == "__main__":
    sys.exit(main())

"""Rank 0 of bigReceive has too little memory for what rank 1 sends: in every way all ranks end, in time, and rank 0 tells why. In bigReply one
task of a job fails for it, and all others are done.

bigReceive.py BIG_RECEIVE BIG_REPLY MPIRUN NUMPROC_FLAG
"""
import subprocess
import sys

limitKilobytes = 700_000    # limit for the address space; the message has 800 MiB
ways = ["plain", "guarded", "bcast", "gather", "uncaught"]


def limited(words):
    return ["sh", "-c", f"ulimit -v {limitKilobytes}; exec {words}"]


def faultsOfJobs(program, launcher, flag):
    faults = 0
    for way in ["reply", "task"]:
        free = [program, "800", way, "--ferry-quiet"]
        tight = limited(" ".join(free))
        master, slaves = (tight, free) if way == "reply" else (free, tight)
        command = [launcher, flag, "1"] + master + [":", flag, "2"] + slaves
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, check=False)
        except subprocess.TimeoutExpired:
            print(f"FAULT {way}: hangs")
            faults += 1
            continue
        print(f"{way}: status {done.returncode}")
        if done.returncode != 0 or "11 done, 1 without memory" not in done.stdout:
            print(f"FAULT {way}:\n{done.stdout}{done.stderr}")
            faults += 1
    return faults


def main():
    program, jobProgram, launcher, flag = sys.argv[1:5]
    faults = faultsOfJobs(jobProgram, launcher, flag)
    for way in ways:
        command = [launcher, flag, "1"] + limited(f"{program} 800 {way}") + [":", flag, "1", program, "800", way]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, check=False)
        except subprocess.TimeoutExpired:
            print(f"FAULT {way}: hangs")
            faults += 1
            continue
        text = done.stdout + done.stderr
        isTold = "memory" in text or "bad_alloc" in text
        isStopped = done.returncode != 0 and "ferry: the job was stopped" in text
        isPast = done.returncode == 0 and text.count("is past the barrier") == 2
        # Rank 0 of the gather has no memory for its own value either. Rank 0 never enters the gather, so the ranks do not agree
        # afterwards.
        isEnded = isStopped if way == "uncaught" else isStopped or isPast if way == "gather" else isPast
        print(f"{way}: status {done.returncode}, {'told' if isTold else 'not told'}")
        if not isTold or not isEnded or "eadlock" in text or "received 8388" in text:
            print(f"FAULT {way}:\n{text}")
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

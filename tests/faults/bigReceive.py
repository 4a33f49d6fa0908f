"""Rank 0 of bigReceive has too little memory for what rank 1 sends: in every way all ranks end, in time, and rank 0 tells why.

bigReceive.py PROGRAM MPIRUN NUMPROC_FLAG
"""
import subprocess
import sys

limitKilobytes = 700_000    # of addresses; the message has 800 MiB
ways = ["plain", "guarded", "bcast", "gather", "uncaught"]


def main():
    program, launcher, flag = sys.argv[1:4]
    faults = 0
    for way in ways:
        limited = ["sh", "-c", f"ulimit -v {limitKilobytes}; exec {program} 800 {way}"]
        command = [launcher, flag, "1"] + limited + [":", flag, "1", program, "800", way]
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
        # Rank 0 of the gather has no memory for its own value either: it never enters, and the ranks do not agree afterwards.
        isEnded = isStopped if way == "uncaught" else isStopped or isPast if way == "gather" else isPast
        print(f"{way}: status {done.returncode}, {'told' if isTold else 'not told'}")
        if not isTold or not isEnded or "eadlock" in text or "received 8388" in text:
            print(f"FAULT {way}:\n{text}")
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

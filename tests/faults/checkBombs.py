#!/usr/bin/env python3
"""Runs bombs and looks at the memory that each of its messages took: what ReadLimits lets through, twice where a container grows, and
the nodes and blocks of the containers. Messages whose keys crowd in one bucket must be refused."""
import re
import subprocess
import sys

MOST = lambda k: 2 * (192 * k + (16 << 20))
REFUSED = ["vector<optional<Grid 32 KiB>>", "vector<variant<monostate,Grid 32 KiB>>", "vector<Cache> (4 KiB not sent)",
           "vector<Old> (older version, 4 KiB)", "vector<unique_ptr<Cache>>", "vector<shared_ptr<Cache>>",
           "vector<unique_ptr<Base>> of Node", "unordered_map<uint64,int>, one bucket, n = 40000"]


def main():
    done = subprocess.run([sys.argv[1]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    print(done.stdout)
    problems = [] if done.returncode == 0 else [f"expected status 0, found {done.returncode}"]
    ends = {}
    for line in done.stdout.splitlines():
        found = re.match(r"(.+?) +k +(\d+) +peak +(\d+) .*? s  (.*)$", line)
        if not found:
            continue
        name, k, peak, end = found[1].strip(), int(found[2]), int(found[3]), found[4]
        ends[name] = end
        if peak > MOST(k):
            problems.append(f"{name}: {peak} bytes for a message of {k}")
        if end != "read" and name not in REFUSED and "one bucket" not in name:
            problems.append(f"{name}: an honest message is refused: {end}")
    for name in REFUSED:
        if ends.get(name, "read") == "read":
            problems.append(f"{name}: expected a refusal, found {ends.get(name, 'no line')}")
    print("\n".join(problems))
    return 1 if problems else 0


sys.exit(main())

#!/usr/bin/env python3
"""Counts the PTX instructions of kernels that follow pointers through a structure, and of kernels that get addresses: tables 3 and 4 of
"Assessing Performance Implications of Deep Copy Operations via Microbenchmarking". Needs nvcc, and no GPU.

usage: instructions.py NVCC [--check]

--check fails unless addresses cost the same for every number of levels, and a structure costs more with each level.
"""
import os
import re
import subprocess
import sys
import tempfile

LEVELS = range(2, 11)


def countAll(nvcc):
    """Returns the number of instructions of each kernel, by its name and its number of levels (None for the dense tree)."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "instructions.cu")
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "kernels.ptx")
        subprocess.run([nvcc, "-std=c++20", "-arch=sm_90", "-ptx", source, "-o", out], check=True)
        with open(out, encoding="utf-8") as file:
            text = file.read()
    counts = {}
    for name, body in re.findall(r"\.entry (\w+)\([^)]*\)[^{]*\{(.*?)\n\}", text, re.DOTALL):
        found = re.match(r"_Z\d+(\w+?)(?:ILi(\d+)E|P5Dense|6Chains)", name)
        kernel, levels = found.group(1), found.group(2)
        instructions = [line for line in body.splitlines() if re.match(r"\s+(@%\w+ )?[a-z][\w.]*.*;$", line)]
        counts[kernel, int(levels) if levels else None] = len(instructions)
    return counts


def main(arguments):
    counts = countAll(arguments[0])
    print("| levels | last array, structure | last array, address | all arrays, structure | all arrays, addresses |")
    print("|---|---|---|---|---|")
    for k in LEVELS:
        print(f"| {k} | {counts['lastThroughStructure', k]} | {counts['lastByAddress', k]} | {counts['allThroughStructure', k]} | "
              f"{counts['allByAddress', k]} |")
    print(f"\nDense tree: {counts['denseThroughStructure', None]} through the structure, {counts['denseByAddress', None]} by addresses.")
    if "--check" not in arguments:
        return 0
    assert len({counts["lastByAddress", k] for k in LEVELS}) == 1
    steps = {counts["lastThroughStructure", k + 1] - counts["lastThroughStructure", k] for k in LEVELS if k + 1 in LEVELS}
    assert len(steps) == 1 and 1 <= min(steps) <= 2, steps    # a load for each level, and its address
    for k in LEVELS:
        assert counts["lastByAddress", k] < counts["lastThroughStructure", k]
        assert counts["allByAddress", k] < counts["allThroughStructure", k]
    assert counts["denseByAddress", None] < counts["denseThroughStructure", None]
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

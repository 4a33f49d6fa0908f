#!/usr/bin/env python3
"""Runs a job with a trace, and checks that its tasks have the names of their classes there."""
import argparse
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "acceptance"))
from launchedJob import addJobOptions, endProblems, parseJobOptions, runJob, showFailure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", required=True, help="the expected names without namespaces, with commas between them")
    addJobOptions(parser)
    options = parseJobOptions(parser)
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        result = runJob(options, ["--ferry-trace", trace])
        problems = endProblems(result, options) + ([] if result.status == 0 else [f"status {result.status}"])
        if not problems:
            with open(trace, encoding="utf-8") as file:
                names = {event["name"].rsplit("::", 1)[-1] for event in json.load(file)["traceEvents"] if event.get("cat") == "task"}
            if names != set(options.names.split(",")):
                problems.append(f"expected tasks of the classes {options.names}, found {', '.join(sorted(names))}")
    if problems:
        showFailure("the traced job", result, problems)
        return 1
    print(f"classes of tasks: {', '.join(sorted(names))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A file whose type text holds terminal escapes and new lines: no program shows them.

usage: hostileText.py HOSTILE_FILE [FERRY_FILE]"""
import os
import subprocess
import sys
import tempfile


def main(hostile, *ferryFile):
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "file")
        commands = [([hostile, path], "FileError: ")] + [([program, "info", path], "checksums    all fit\n") for program in ferryFile]
        for command, part in commands:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)    # the timeout of the test finds a hang
            said = (done.stdout + done.stderr).decode(errors="replace")
            print(said.encode("unicode_escape").decode())
            if done.returncode != 0 or part not in said:
                problems.append(f"{command[0]} has ended with status {done.returncode}, without {part!r}")
            if any(ord(character) < 32 and character != "\n" for character in said):
                problems.append(f"{command[0]} shows control characters")
            if said.count("checksums    all fit\n") != part.count("\n") or "\\n" not in said:
                problems.append(f"{command[0]} shows a forged line")
    for problem in problems:
        print("FAILED: " + problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

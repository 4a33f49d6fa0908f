"""ferryrun and the guard libraries of Ferry, for MPI programs as they are."""
import os
import sys


def main():
    """Becomes the program ferryrun of this package."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "ferryrun")
    os.execv(sys.executable, [sys.executable, "-IS", program, *sys.argv[1:]])

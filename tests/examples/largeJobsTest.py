"""Runs the examples of large jobs as threads and under mpirun: the branch and bound, and the sweep with ScaLAPACK."""
import argparse
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import runOnRanks    # noqa: E402 (the path comes first)

options = None
POINTS = 12    # of the plate in each direction, as in sweep.cpp


def run(program, *arguments, ranks=None):
    return runOnRanks([program, *arguments], options.mpiexec, ranks)


class BranchAndBound(unittest.TestCase):
    def testTheBestTripIsThatOfBruteForceOnAnyNumberOfSlaves(self):
        for seed in ("1", "2", "3"):
            lengths = set()
            for arguments, ranks in ((["--ferry-slaves", "1"], None), (["--ferry-slaves", "3"], None), ([], 4)):
                status, output, errors = run(options.branchAndBound, "9", seed, *arguments, ranks=ranks)
                self.assertEqual(status, 0, output + errors)    # the program itself compares
                self.assertRegex(output, r"^9 cities, shortest trip (\d+), \d+ tasks\nbrute force finds \1\n$")
                lengths.add(output.split()[-1])
            self.assertEqual(len(lengths), 1)

    def testSubMastersHandTheBestTripOn(self):
        status, output, errors = run(options.branchAndBound, "10", "4", "--ferry-group-size", "2", ranks=7)
        self.assertEqual(status, 0, output + errors)
        self.assertIn("brute force finds", output)


def solvePlate(strength, load):
    """Solves the equation of a field on the plate by the method of Gauss and Seidel."""
    size = POINTS + 2
    field = [[0.0] * size for _ in range(size)]
    for _ in range(2000):
        for row in range(1, size - 1):
            for column in range(1, size - 1):
                around = field[row - 1][column] + field[row + 1][column] + field[row][column - 1] + field[row][column + 1]
                field[row][column] = (around + load[row][column] / strength) / 4
    return field


def greatest(field):
    return max(max(row) for row in field)


def expectedSweep():
    """What each design of the sweep says, by another method than that of the program."""
    lines = []
    heating = [[1.0] * (POINTS + 2) for _ in range(POINTS + 2)]
    unit = solvePlate(1, heating)    # both equations are linear
    twice = solvePlate(1, unit)
    for conductivity in (0.0, 0.5, 1.0, 2.0):
        for stiffness in (-1.0, 0.0, 1.0, 10.0):
            if stiffness < 0:
                outcome = "a plate with negative stiffness"
            elif conductivity == 0 or stiffness == 0:
                outcome = f"no {'heat' if conductivity == 0 else 'bending'}, since row 0 has no pivot"
            else:
                outcome = f"hottest {greatest(unit) / conductivity:.4f}, bending {greatest(twice) / conductivity / stiffness:.4f}"
            lines.append(f"conductivity {conductivity:.1f}, stiffness {stiffness:.1f}: {outcome}")
    return lines


class Sweep(unittest.TestCase):
    def testEachDesignHasItsOutcomeWhateverTheTeams(self):
        expected = expectedSweep()
        for teamSize, ranks in ((1, 3), (2, 6), (3, 4), (4, 6)):
            with self.subTest(f"teams of {teamSize} on {ranks} ranks"):
                status, output, errors = run(options.sweep, str(teamSize), ranks=ranks)
                self.assertEqual(status, 0, errors)
                self.assertEqual(output.splitlines(), expected)

    def testTeamsWorkBehindSubMasters(self):
        status, output, errors = run(options.sweep, "2", "--ferry-group-size", "2", ranks=7)
        self.assertEqual(status, 0, errors)
        self.assertEqual(output.splitlines(), expectedSweep())

    def testThreadsAreToldThatTheyHaveNoCommunicator(self):
        status, output, errors = run(options.sweep, "2", "--ferry-slaves", "2")
        self.assertEqual(status, 0, errors)
        self.assertIn("are not the processes of a communicator: they are threads", output)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for program in ("branchAndBound", "sweep"):
        parser.add_argument(f"--{program}")
    parser.add_argument("--mpiexec", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])

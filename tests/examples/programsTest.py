"""Runs the examples as threads and under mpirun, and checks what they say and the pictures that they make."""
import argparse
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import runOnRanks    # noqa: E402 (the path comes first)

options = None


def run(program, *arguments, ranks=None):
    return runOnRanks([program, *arguments], options.mpiexec, ranks)


class Scene(unittest.TestCase):
    def picture(self, *arguments, ranks=None):
        """Runs a program. Returns the bytes of its picture."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "scene.ppm")
            status, output, errors = run(options.scene, "--width", "90", "--height", "60", "--triangles", "600", "--out", path, *arguments,
                                         ranks=ranks)
            self.assertEqual(status, 0, errors)
            self.assertIn("90 x 60 pixels", output)
            with open(path, "rb") as file:
                return file.read()

    def testPictureDoesNotDependOnRanks(self):
        alone = self.picture("--ferry-slaves", "1")
        self.assertTrue(alone.startswith(b"P6\n90 60\n255\n"))
        self.assertEqual(len(alone), len(b"P6\n90 60\n255\n") + 3 * 90 * 60)
        self.assertGreater(len(set(alone)), 50)
        for ranks in (1, 2, 4):
            self.assertEqual(self.picture(ranks=ranks), alone)
        self.assertEqual(self.picture("--ferry-slaves", "3"), alone)
        self.assertEqual(self.picture("--ferry-slaves", "2", "--tile", "7"), alone)

    def testPictureDependsOnSceneAndCamera(self):
        pictures = {self.picture(*more, "--ferry-slaves", "2") for more in ((), ("--seed", "2"), ("--camera", "1"))}
        self.assertEqual(len(pictures), 3)

    def testWrongOptionIsTold(self):
        status, _, errors = run(options.scene, "--camera", "2")
        self.assertNotEqual(status, 0)
        self.assertIn("--camera", errors)

    def testFileThatCannotBeWrittenEndsAllRanks(self):
        for more in ({"ranks": 3}, {}):
            status, _, errors = run(options.scene, "--width", "9", "--height", "9", "--out", "/nowhere/scene.ppm", **more)
            self.assertNotEqual(status, 0)
            self.assertIn("/nowhere/scene.ppm", errors)


class Graph(unittest.TestCase):
    def testEveryShapeArrives(self):
        for more in ({"ranks": 1}, {"ranks": 2}, {"ranks": 4}, {}):
            status, output, errors = run(options.graph, "--nodes", "100", **more)
            self.assertEqual(status, 0, errors)
            self.assertEqual(sorted(output.splitlines()),
                             ["full: 100 nodes and 10000 edges arrived", *[line for line in sorted(output.splitlines()) if "random" in line],
                              "ring: 100 nodes and 200 edges arrived", "sparse: 100 nodes and 400 edges arrived",
                              "tree: 100 nodes and 99 edges arrived"])
            self.assertRegex(output, r"random: 100 nodes and \d+ edges arrived\n")


class Bodies(unittest.TestCase):
    def testForcesOfTheWorkersMoveTheMassesAsOneRankDoes(self):
        for arguments, ranks, count in ((["--ferry-slaves", "3"], None, 24), ([], 2, 8), ([], 4, 24)):
            status, output, errors = run(options.bodies, *arguments, ranks=ranks)
            self.assertEqual((status, output), (0, f"{count} masses, 20 steps, 0 are elsewhere than on one rank\n"), errors)


class Population(unittest.TestCase):
    def testNetworksLearnTheSameOnAnyNumberOfRanks(self):
        outputs = set()
        for arguments, ranks in ((["--ferry-slaves", "1"], None), (["--ferry-slaves", "3"], None), ([], 3)):
            status, output, errors = run(options.population, *arguments, ranks=ranks)
            self.assertEqual(status, 0, errors)
            outputs.add(output)
        self.assertEqual(len(outputs), 1)
        self.assertRegex(outputs.pop(), r"^100 generations, 0 wrong fitnesses, best error 0\.0\d* with \d+ nodes\n$")


class Results(unittest.TestCase):
    def testEverySearchFindsWhatOneRankFinds(self):
        outputs = set()
        for arguments, ranks in ((["--ferry-slaves", "1"], None), (["--ferry-slaves", "3"], None), ([], 3)):
            status, output, errors = run(options.results, *arguments, ranks=ranks)
            self.assertEqual(status, 0, errors)
            outputs.add(output)
        self.assertEqual(len(outputs), 1)
        self.assertRegex(outputs.pop(), r"^6 queries, [1-9]\d+ sequences found, 0 results differ from those of one rank\n$")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--scene", required=True)
    parser.add_argument("--graph", required=True)
    parser.add_argument("--bodies", required=True)
    parser.add_argument("--population", required=True)
    parser.add_argument("--results", required=True)
    parser.add_argument("--mpiexec", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])

"""Measures the same as benchJobs, with mpi4py.futures.

    mpirun -np 3 python3 -m mpi4py.futures benchmarks/jobs/peer.py
"""
import statistics
import time

from mpi4py import MPI
from mpi4py.futures import MPIPoolExecutor

WINDOWS = 5


def spin(microseconds):
    end = time.perf_counter() + microseconds / 1e6
    while microseconds and time.perf_counter() < end:
        pass


def swallow(payload):
    pass


def median(measure):
    return statistics.median(measure() for _ in range(WINDOWS))


def secondsForAll(pool, tasks, function=spin, **options):
    start = time.perf_counter()
    for _ in pool.map(function, tasks, unordered=True, **options):
        pass
    return time.perf_counter() - start


def submitAndGet(pool, count):
    start = time.perf_counter()
    for future in [pool.submit(spin, 0) for _ in range(count)]:
        future.result()
    return time.perf_counter() - start


def main():
    with MPIPoolExecutor() as pool:
        slaves = MPI.COMM_WORLD.size - 1
        print(f"{slaves} workers")
        count = 5000
        print(f"empty tasks, map: {count / median(lambda: secondsForAll(pool, [0] * count)):.0f}/s")
        chunked = median(lambda: secondsForAll(pool, [0] * 200000, chunksize=1000))
        print(f"empty tasks, map with chunks of 1000: {200000 / chunked:.0f}/s")
        print(f"empty tasks, submit and result: {count / median(lambda: submitAndGet(pool, count)):.0f}/s")
        tailed = [20000 if i % 100 == 50 else 200 for i in range(2000)]
        for name, tasks in (("1 ms", [1000] * 1000), ("10 ms", [10000] * 100), ("0.2 ms, 1 in 100 of 20 ms", tailed)):
            seconds = median(lambda: secondsForAll(pool, tasks))
            print(f"tasks of {name}: efficiency {sum(tasks) / 1e6 / seconds / slaves:.3f}")
        payload = bytes(1 << 20)
        seconds = median(lambda: secondsForAll(pool, [payload] * 300, swallow))
        print(f"payload of 1 MiB: {300 * len(payload) / seconds / 1e9:.2f} GB/s")


if __name__ == "__main__":
    main()

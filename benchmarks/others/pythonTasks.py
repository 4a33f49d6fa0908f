"""The parts of mpi4py.futures, Dask and Ray in benchmarks/others/compare: empty tasks, and one large result that ten tasks use.

    python pythonTasks.py mpi4py|dask|ray COUNT MEBIBYTES      with two workers; prints lines "name: value"
"""
import sys
import time

import numpy


def empty(number):
    return number


def make(count):
    return numpy.ones(count)


def use(data, number):
    return float(data[-1]) + number


def report(submitAll, shareAndUse, count, doubles):
    """submitAll(count) returns the replies of empty tasks; shareAndUse(doubles) those of ten tasks that use one result."""
    submitAll(100)    # the workers are there, and all code is loaded
    begin = time.perf_counter()
    assert submitAll(count) == list(range(count))
    print(f"tasks in a second: {count / (time.perf_counter() - begin):.0f}")
    begin = time.perf_counter()
    assert shareAndUse(doubles) == [number + 1.0 for number in range(10)]
    print(f"seconds for ten users: {time.perf_counter() - begin:.4f}", flush=True)


def runMpi4py(count, doubles):
    from mpi4py.futures import MPICommExecutor

    with MPICommExecutor() as executor:
        if executor is None:
            return

        def submitAll(number):
            return [future.result() for future in [executor.submit(empty, i) for i in range(number)]]

        def shareAndUse(number):    # it has no references: the result comes to the master, and goes to each task
            data = executor.submit(make, number).result()
            return [future.result() for future in [executor.submit(use, data, i) for i in range(10)]]

        report(submitAll, shareAndUse, count, doubles)


def runDask(count, doubles):
    from dask.distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=0) as cluster, Client(cluster) as client:
        def submitAll(number):
            return client.gather([client.submit(empty, i, pure=False) for i in range(number)])

        def shareAndUse(number):
            data = client.submit(make, number, pure=False)
            return client.gather([client.submit(use, data, i, pure=False) for i in range(10)])

        report(submitAll, shareAndUse, count, doubles)


def runRay(count, doubles):
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    remoteEmpty, remoteMake, remoteUse = ray.remote(empty), ray.remote(make), ray.remote(use)

    def submitAll(number):
        return ray.get([remoteEmpty.remote(i) for i in range(number)])

    def shareAndUse(number):
        data = remoteMake.remote(number)
        return ray.get([remoteUse.remote(data, i) for i in range(10)])

    report(submitAll, shareAndUse, count, doubles)
    ray.shutdown()


if __name__ == "__main__":
    contenders = {"mpi4py": runMpi4py, "dask": runDask, "ray": runRay}
    contenders[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]) * (1 << 20) // 8)

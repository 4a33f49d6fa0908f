"""Writes a parallel file of h5py, named by the argument. The last rank raises before the data is written."""
import sys

from mpi4py import MPI
import h5py

world = MPI.COMM_WORLD
if not h5py.get_config().mpi:
    sys.exit(77)
with h5py.File(sys.argv[1], "w", driver="mpio", comm=world) as file:
    data = file.create_dataset("data", (world.size,), dtype="i4")
    if world.rank == world.size - 1:
        raise ValueError("cell 7 has no volume")
    data[world.rank] = world.rank
    world.barrier()

#!/bin/bash
# A Slurm job for a sweep whose tasks are teams (examples/sweep): the master, and 8 teams of 4 slaves at a time. Copy and change this script as
# you like.
#
#     sbatch [OPTIONS] sweep.sh [PROGRAM] [ARGUMENTS]      options of sbatch on this line win over those below
#
#SBATCH --job-name=sweep
# A rank for each slave of each team, and one for the master.
#SBATCH --ntasks=33
# A solver that has threads of its own takes this number of cores for each rank.
#SBATCH --cpus-per-task=1
# Ranks with neighbouring numbers share a node, and teams take neighbours where they can.
#SBATCH --distribution=block:block
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out
# One minute before the time limit, Slurm sends SIGTERM, and the job ends in order.
#SBATCH --signal=B:TERM@60
# The journal leaves out the tasks of teams. So Slurm does not start the job again, which would begin anew.
#SBATCH --no-requeue

if [ $# -eq 0 ]; then
    set -- ./sweep 4
fi
# One thread for each core of a rank: ranks that each take all cores of their node slow each other down.
export OMP_NUM_THREADS="${SLURM_CPUS_PER_TASK:-1}" OPENBLAS_NUM_THREADS="${SLURM_CPUS_PER_TASK:-1}"
exec ferry run "$@" --ferry-report "$SLURM_SUBMIT_DIR/$SLURM_JOB_NAME-$SLURM_JOB_ID.report"

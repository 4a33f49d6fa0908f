#!/bin/bash
# A Slurm job of Ferry: one rank is the master, the others are slaves, on as many nodes as Slurm gives.
#
#     sbatch job.sh PROGRAM [ARGUMENTS]
#
# Copy it, and change what is asked for; options of sbatch go before the 2 if meant for one job only: sbatch --ntasks=64 job.sh PROGRAM.
# The folder from which it is submitted must be seen by all nodes: the journal lies there.
#SBATCH --job-name=ferry
#SBATCH --ntasks=8
#SBATCH --time=01:00:00
# The output of a job that Slurm starts again stays.
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append
# When a node fails, Slurm starts the job again on others, and it goes on from its journal.
#SBATCH --requeue
# A minute before the time is over the job is told to end, and does so in order. Submitted again with the same journal it goes on.
#SBATCH --signal=B:TERM@60

journal="${FERRY_JOURNAL:-$SLURM_SUBMIT_DIR/$SLURM_JOB_NAME-$SLURM_JOB_ID.journal}"

# mpirun, which ferryrun starts, asks Slurm for the nodes, and takes all tasks of the allocation. Do not write srun here: srun ends the
# job when a slave dies.
exec ferryrun "$@" --ferry-journal "$journal"

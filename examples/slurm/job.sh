#!/bin/bash
# A Slurm job of Ferry: one rank is the master, the others are slaves, on as many nodes as Slurm gives. A copy is yours to change.
#
#     sbatch [OPTIONS] job.sh PROGRAM [ARGUMENTS]      options of sbatch that stand here win over those below: --ntasks=64
#
# The folder from which it is submitted must be seen by all nodes: the journal lies there. To go on with the journal of an earlier job:
#
#     FERRY_JOURNAL=ferry-4711.journal sbatch job.sh PROGRAM [ARGUMENTS]
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

output="$SLURM_SUBMIT_DIR/$SLURM_JOB_NAME-$SLURM_JOB_ID"
# ferryrun starts mpirun, which asks Slurm for the nodes and takes all tasks. srun in its place would end the job when a slave dies.
# The report says how the job has ended, also where mpirun was ended before it.
exec ferryrun "$@" --ferry-journal "${FERRY_JOURNAL:-$output.journal}" --ferry-report "$output.report"

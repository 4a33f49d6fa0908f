#!/bin/bash
# A Slurm job of Ferry: one rank is the master, the others are slaves, on as many nodes as Slurm gives. Copy and change this script as you
# like.
#
#     sbatch [OPTIONS] job.sh PROGRAM [ARGUMENTS]      options of sbatch on this line win over those below: --ntasks=64
#
# All nodes must see the folder in which sbatch is called: the journal lies there. To go on with the journal of an earlier job:
#
#     FERRY_JOURNAL=ferry-4711.journal sbatch job.sh PROGRAM [ARGUMENTS]
#SBATCH --job-name=ferry
#SBATCH --ntasks=8
#SBATCH --time=01:00:00
# The output file is kept when Slurm starts the job again.
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append
# When a node fails, Slurm starts the job again on other nodes, and the job goes on from its journal.
#SBATCH --requeue
# One minute before the time limit, Slurm sends SIGTERM, and the job ends in order. Submitted again with the same journal, the job goes
# on.
#SBATCH --signal=B:TERM@60

output="$SLURM_SUBMIT_DIR/$SLURM_JOB_NAME-$SLURM_JOB_ID"
# ferry run starts mpirun. mpirun asks Slurm for the nodes and takes all tasks. srun in place of mpirun would end the job when a slave
# dies.
# The report says how the job has ended, also when mpirun was ended before the job.
exec ferry run "$@" --ferry-journal "${FERRY_JOURNAL:-$output.journal}" --ferry-report "$output.report"

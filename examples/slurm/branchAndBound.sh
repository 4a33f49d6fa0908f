#!/bin/bash
# A Slurm job for a branch and bound (examples/branchAndBound). Copy and change this script as you like.
#
#     sbatch [OPTIONS] branchAndBound.sh [PROGRAM] [ARGUMENTS]      options of sbatch on this line win over those below
#
# To end a search early: scancel --batch --signal=TERM JOB.
#SBATCH --job-name=branchAndBound
# One rank is the master, the others search. The master alone shares the best value, so that thousands of ranks are fine.
#SBATCH --ntasks=64
#SBATCH --time=04:00:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append
# One minute before the time limit, Slurm sends SIGTERM, and the job ends in order.
#SBATCH --signal=B:TERM@60
# When a node fails, Slurm starts the job again on other nodes.
#SBATCH --requeue

if [ $# -eq 0 ]; then
    set -- ./branchAndBound 16
fi
exec ferry run "$@" --ferry-report "$SLURM_SUBMIT_DIR/$SLURM_JOB_NAME-$SLURM_JOB_ID.report"

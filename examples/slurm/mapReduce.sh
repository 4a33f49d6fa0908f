#!/bin/bash
# A Slurm job for a map-reduce whose results stay with the slaves (examples/mapReduce). Copy and change this script as you like.
#
#     sbatch [OPTIONS] mapReduce.sh [PROGRAM] [ARGUMENTS]      options of sbatch on this line win over those below
#
#SBATCH --job-name=mapReduce
# One rank is the master, the others keep the results.
#SBATCH --ntasks=33
# The memory of each rank. Results that take more go to a file in the folder for temporary files.
#SBATCH --mem-per-cpu=4G
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out
# One minute before the time limit, Slurm sends SIGTERM, and the job ends in order.
#SBATCH --signal=B:TERM@60
# Results that stay with slaves are in no journal. So Slurm does not start the job again, which would begin anew.
#SBATCH --no-requeue

if [ $# -eq 0 ]; then
    set -- ./mapReduce
fi
# Half of the memory is for kept results, in MiB. The other half is for the tasks.
keep=$((${SLURM_MEM_PER_CPU:-4096} / 2))
# The file of the results lies on the disk of the node, where Slurm names one.
export TMPDIR="${SLURM_TMPDIR:-${TMPDIR:-/tmp}}"
exec ferry run "$@" --ferry-keep-memory "$keep" --ferry-report "$SLURM_SUBMIT_DIR/$SLURM_JOB_NAME-$SLURM_JOB_ID.report"

# shellcheck shell=bash
# Sourced by ./run and ./check. Sets the root of the tree, and an environment in which building and mpirun work from anywhere,
# with any umask, without a home folder and without standard input.
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
umask 022
exec </dev/null

if [[ ! -d "${HOME:-}" || ! -w "${HOME:-}" ]]; then
    mkdir -p "$root/build/home"
    export HOME="$root/build/home"
fi

# Debian's Open MPI refuses to run as root or with more ranks than cores, unless these variables allow it.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_base_warn_component_unused=0

# Where memory allows, Open MPI's launcher keeps its folders in memory. It removes the folder of each rank that has ended. When the disk
# needs more than 2 s for that, the other ranks no longer wait for the launcher, and count as failed although they have ended in order.
memoryFolder=/dev/shm
freeKiB="$(df --output=avail -k "$memoryFolder" 2>/dev/null | tail -n 1)" || freeKiB=0
if [[ -w "$memoryFolder" ]] && ((freeKiB > 1000000)); then
    launcherFolder="$(mktemp -d -p "$memoryFolder" ferryLauncher.XXXXXX)"
    trap 'rm -rf "$launcherFolder"' EXIT
    export OMPI_MCA_orte_tmpdir_base="$launcherFolder" PRTE_MCA_prte_tmpdir_base="$launcherFolder"
fi

coreCount() { env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc; }

# configurePreset name [cmake option...]: configures the preset. The packages have to be installed before.
configurePreset() {
    local preset="$1"
    shift
    cmake -S "$root" --preset "$preset" "$@"
}

# isCacheEmpty: whether the compiler cache holds less than a build.
isCacheEmpty() {
    command -v ccache >/dev/null && (($(ccache --print-stats | awk '/^cache_size_kibibyte/ { print $2 }') < 50000))
}

# buildPreset name [target...]
# Before it compiles, a compiler cache preprocesses a source, to look for a result that differs in comments only. An empty cache has none.
buildPreset() {
    local preset="$1"
    shift
    if isCacheEmpty; then
        export CCACHE_DEPEND=1
    fi
    cmake --build "$root/build/$preset" --parallel "$(coreCount)" ${@:+--target "$@"}
}

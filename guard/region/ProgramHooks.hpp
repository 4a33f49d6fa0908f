#pragma once

namespace ferry::pmpi {

/// Functions that are called when the program begins and ends MPI. Null, except where a whole program is one region.
struct ProgramHooks {
    /// Called in MPI_Init, before all other actions, with an address in the function that has called it.
    void (*initializes)(const void* caller) = nullptr;
    /// Called after a successful MPI_Init.
    void (*initialized)() = nullptr;
    /// Called in MPI_Finalize, before all other actions. Returns whether MPI is to be finalised now.
    bool (*finalizes)() = nullptr;
    /// Called in MPI_Abort, with its status, before the library ends the job. May end the job itself.
    void (*aborts)(int status) = nullptr;
};

extern ProgramHooks programHooks __attribute__((visibility("hidden")));

}    // namespace ferry::pmpi

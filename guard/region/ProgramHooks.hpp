#pragma once

namespace ferry::pmpi {

/// What is called when the program begins and ends MPI. Nothing, but where a whole program is one region.
struct ProgramHooks {
    /// Behind a successful MPI_Init.
    void (*initialized)() = nullptr;
    /// In MPI_Finalize, before anything else. Whether MPI is to be finalised now.
    bool (*finalizes)() = nullptr;
};

extern ProgramHooks programHooks __attribute__((visibility("hidden")));

}    // namespace ferry::pmpi

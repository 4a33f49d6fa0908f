// Calls that free handles while a deferred collective still needs them.
#include <mpi.h>

#include <ferry/guard/region/Region.hpp>

using ferry::pmpi::activeRegion;
using ferry::pmpi::Turn;

int MPI_Type_free(MPI_Datatype* type) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Type_free(type);
    const Turn turn("MPI_Type_free");
    if (activeRegion->deferred().isEmpty()) [[likely]]
        return PMPI_Type_free(type);
    activeRegion->deferred().freeTypeLater(*type);
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

int MPI_Op_free(MPI_Op* operation) {
    if (activeRegion == nullptr) [[likely]]
        return PMPI_Op_free(operation);
    const Turn turn("MPI_Op_free");
    if (activeRegion->deferred().isEmpty()) [[likely]]
        return PMPI_Op_free(operation);
    activeRegion->deferred().freeOperationLater(*operation);
    *operation = MPI_OP_NULL;
    return MPI_SUCCESS;
}

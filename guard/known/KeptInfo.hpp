#pragma once

#include <memory>

#include <mpi.h>

#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

/// A copy of the program's info for a call that is made later. The program may free its own one meanwhile. Copies share it.
class KeptInfo {
public:
    explicit KeptInfo(MPI_Info info) {
        if (info == MPI_INFO_NULL) return;
        MPI_Info copy = MPI_INFO_NULL;
        must(PMPI_Info_dup(info, &copy), "MPI_Info_dup");
        info_ = std::shared_ptr<MPI_Info>(new MPI_Info(copy), [](MPI_Info* own) {
            must(PMPI_Info_free(own), "MPI_Info_free");
            delete own;
        });
    }

    MPI_Info get() const { return info_ != nullptr ? *info_ : MPI_INFO_NULL; }

private:
    std::shared_ptr<MPI_Info> info_;
};

}    // namespace ferry::pmpi

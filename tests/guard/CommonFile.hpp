#pragma once

#include <unistd.h>
#include <array>
#include <filesystem>
#include <string>

#include <mpi.h>

namespace ferry::test {

/// Returns a new name for a file that all ranks use. Collective.
/// Open MPI 4.1 sometimes fails when a file is opened that was closed just before.
inline std::string commonFileName(MPI_Comm communicator) {
    static int nameCount = 0;
    std::array<int, 2> name{static_cast<int>(::getpid()), ++nameCount};
    MPI_Bcast(name.data(), 2, MPI_INT, 0, communicator);
    return std::filesystem::temp_directory_path() / ("ferryPmpi." + std::to_string(name[0]) + "." + std::to_string(name[1]));
}

}    // namespace ferry::test

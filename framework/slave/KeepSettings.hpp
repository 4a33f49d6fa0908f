#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>

namespace ferry::detail {

/// Where the results lie that stay with a slave.
struct KeepSettings {
    std::size_t memoryBytes = std::numeric_limits<std::size_t>::max();    ///< results beyond this are moved to files
    std::filesystem::path folder{};                                       ///< empty: the folder for temporary files of the system
};

}    // namespace ferry::detail

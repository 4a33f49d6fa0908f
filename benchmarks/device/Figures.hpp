#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ferry::bench {

/// The times of one case in microseconds: whole cycles of image, marshalling, marshalling in one batch, member by member, pointerchain, the
/// bytes as one block; then the kernel on the image, and on chains.
struct Measured {
    std::string device;
    std::string scenario;
    std::size_t size = 0;    ///< levels, or children of each structure
    std::size_t n = 0;
    std::vector<double> us;
};

/// Writes figures like those of the paper, one file for each: whole cycles and kernels of the linear scenario, and the dense scenario.
/// Errors: std::runtime_error for a file that cannot be written.
void drawFigures(const std::vector<Measured>& all, const std::string& folder);

}    // namespace ferry::bench

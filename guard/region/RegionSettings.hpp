#pragma once

#include <chrono>

namespace ferry::pmpi {

class Region;

/// What is different in a region around a whole program, which was not written for regions.
struct RegionSettings {
    /// Calls that regions do not support are made as outside, and noted; else they throw.
    bool makesUnsupportedCalls = false;
    /// How long a rank that has failed waits until all others have come; one that has heard of it waits twice as long. 0: for ever.
    std::chrono::milliseconds patience{0};
    /// Called when they have not come; does not return.
    void (*giveUp)(const Region& region) = nullptr;
};

}    // namespace ferry::pmpi

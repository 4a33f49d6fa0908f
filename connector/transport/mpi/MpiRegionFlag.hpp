#pragma once

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

/// A flag that is set while plain MPI code of the program runs as a guarded region (<ferry/guarded.hpp>). Letters of Ferry know nothing of
/// that region, and a rank that waits for a letter there would not be woken. So no letter may be sent or waited for there.
/// Threads: set and read on the thread that calls MPI.
class MpiRegionFlag {
public:
    static void set(bool isInRegion) noexcept { isInRegion_ = isInRegion; }

    static void requireOutside() {
        if (isInRegion_) [[unlikely]]
            throw UsageError("a Connector over MPI cannot be used inside ferry::guarded(): use connector.guarded() for its messages");
    }

private:
    inline static bool isInRegion_ = false;
};

}    // namespace ferry::detail

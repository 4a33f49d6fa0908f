#pragma once

#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// Wakes a rank in a guarded region because another rank has failed there. The present or next call of Ferry on the rank throws it, and so
/// do all later calls until the rank leaves the region.
///
/// Do not stop it: guarded() throws in its place the ExceptionList of all ranks. A program that catches it gets it again from its next
/// call.
class RegionFailed : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::RegionFailed)
    FERRY_FIELDS_DECLARED(rank_)

    RegionFailed() = default;
    /// thrown: class and text of the exception that the rank has thrown, where they are known.
    explicit RegionFailed(int rank, const std::string& thrown = {});

    /// A rank that has failed. The rank is not always the first one.
    int rank() const noexcept { return rank_; }

private:
    int rank_ = -1;
};

}    // namespace ferry

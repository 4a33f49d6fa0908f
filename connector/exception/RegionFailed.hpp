#pragma once

#include <string>

#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry {

/// Wakes a rank in a guarded region because another rank has failed there; thrown from whatever call of Ferry the rank is in or makes
/// next, until it leaves the region.
///
/// Let it pass: guarded() throws in its place the ExceptionList of what the ranks have thrown. Who catches it meets it again in the next
/// call.
class RegionFailed : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::RegionFailed)
    FERRY_FIELDS(rank_)

    RegionFailed() = default;
    /// Class and text of the exception that the rank has thrown, where they are known.
    explicit RegionFailed(int rank, const std::string& thrown = {});

    /// A rank that has failed; not always the first.
    int rank() const noexcept { return rank_; }

private:
    int rank_ = -1;
};

}    // namespace ferry

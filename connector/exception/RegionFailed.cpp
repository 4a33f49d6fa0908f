#include <ferry/connector/exception/RegionFailed.hpp>

#include <fmt/format.h>

FERRY_EXCEPTION_DEFINED(ferry::RegionFailed)
FERRY_FIELDS_DEFINED(ferry::RegionFailed)

namespace ferry {

RegionFailed::RegionFailed(int rank, const std::string& thrown)
    : Exception(fmt::format("rank {} has failed in the guarded region that this rank is in{}{}", rank, thrown.empty() ? "" : ": ", thrown)),
      rank_(rank) {}

}    // namespace ferry

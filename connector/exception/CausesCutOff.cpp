#include <ferry/connector/exception/CausesCutOff.hpp>

#include <algorithm>

#include <fmt/format.h>

FERRY_EXCEPTION_DEFINED(ferry::CausesCutOff)
FERRY_FIELDS_DEFINED(ferry::CausesCutOff)

namespace ferry {

CausesCutOff::CausesCutOff(std::size_t count)
    : Exception(fmt::format("... {}{} more", count < maxCount ? "" : "at least ", std::min(count, maxCount))),
      count_(static_cast<std::int32_t>(std::min(count, maxCount))) {}

}    // namespace ferry

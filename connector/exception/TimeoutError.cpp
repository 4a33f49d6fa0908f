#include <ferry/connector/exception/TimeoutError.hpp>

#include <utility>

#include <fmt/format.h>

FERRY_EXCEPTION_DEFINED(ferry::TimeoutError)
FERRY_FIELDS_DEFINED(ferry::TimeoutError)

namespace ferry {

TimeoutError::TimeoutError(detail::Awaited awaited, std::chrono::microseconds waited)
    : Exception(
          fmt::format("timed out after {:.3f} s, waiting for {}", std::chrono::duration<double>(waited).count(), awaited.inWords("; "))),
      awaited_(std::move(awaited)),
      waited_(waited) {}

}    // namespace ferry

#include <ferry/connector/exception/CollectiveMismatch.hpp>

#include <utility>

#include <fmt/format.h>

FERRY_EXCEPTION_DEFINED(ferry::CollectiveMismatch)
FERRY_FIELDS_DEFINED(ferry::CollectiveMismatch)

namespace ferry {

CollectiveMismatch::CollectiveMismatch(detail::CollectiveCall here, detail::CollectiveCall there)
    : Exception(fmt::format("ranks do not agree on a collective: rank {} calls {}, rank {} calls {}", here.rank, here.call, there.rank,
                            there.call)),
      here_(std::move(here)),
      there_(std::move(there)) {}

}    // namespace ferry

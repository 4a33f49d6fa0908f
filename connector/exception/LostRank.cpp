#include <ferry/connector/exception/LostRank.hpp>

FERRY_EXCEPTION_DEFINED(ferry::LostRank)
FERRY_FIELDS_DEFINED(ferry::LostRank)

namespace ferry {

LostRank::LostRank(const detail::Loss& loss) : Exception(loss.text()), rank_(loss.rank) {}

}    // namespace ferry

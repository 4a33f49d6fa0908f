#include <ferry/serialization/reference/OwnerForest.hpp>

namespace ferry::detail {

void OwnerForest::growTo(std::size_t size) { owners_.resize(size, 0); }

}    // namespace ferry::detail

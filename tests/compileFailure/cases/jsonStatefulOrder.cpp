// EXPECT ferry: a map or set (see T) has an order, hash or equality with a state, which does not travel
#include <set>

#include <ferry/serialization/text/Json.hpp>

namespace fail {

using Numbers = std::set<int, bool (*)(int, int)>;

std::size_t call() { return ferry::fromJson<Numbers>("[1,2]").size(); }

}    // namespace fail

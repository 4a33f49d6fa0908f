// EXPECT fail::Seeded
// EXPECT a map or set (see T) has an order, hash or equality with a state, which does not travel: receive into a container that has one
#include <optional>
#include <unordered_set>

#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Seeded {
    std::size_t seed = 7;
    std::size_t operator()(int key) const { return seed * static_cast<std::size_t>(key); }
};

void read(ferry::IntReader& in, std::optional<std::pair<int, std::unordered_set<int, Seeded>>>& keys) { in >> keys; }

}    // namespace fail

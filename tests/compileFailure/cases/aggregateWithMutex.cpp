// EXPECT fail::Store
// EXPECT [with T = std::mutex]
// EXPECT ferry: this type (see T in the lines near this one) cannot be written
#include <mutex>
#include <vector>

#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Store {
    std::mutex lock;
    std::vector<int> goods;
};

void write(ferry::IntWriter& out, const Store& store) { out << store; }

}    // namespace fail

// EXPECT fail::Flags
// EXPECT "raised"
// EXPECT make it a std::vector<char>
#include <vector>

#include <ferry/device.hpp>

namespace fail {

struct Flags {
    std::vector<bool> raised;
    FERRY_FIELDS(raised)
};

void copy(ferry::Device& device, Flags& flags) { device.copy(flags); }

}    // namespace fail

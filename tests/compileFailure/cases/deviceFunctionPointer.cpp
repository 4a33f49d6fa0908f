// EXPECT fail::Rule
// EXPECT a pointer to a function of the host (see Class and Name) means nothing on a device
#include <ferry/device.hpp>

namespace fail {

struct Rule {
    int (*apply)(int) = nullptr;
};

void copy(ferry::Device& device, Rule& rule) { device.copy(rule); }

}    // namespace fail

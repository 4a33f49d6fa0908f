// EXPECT use of deleted function
#include <ferry/device.hpp>

namespace fail {

struct Passing {
    int x = 0;
};

void copy(ferry::Device& device) { device.copy(Passing()); }

}    // namespace fail

// EXPECT no matching function for call to 'ferry::DeviceCopy<const
#include <ferry/device.hpp>

namespace fail {

struct Fixed {
    int x = 0;
};

void copy(ferry::Device& device, const Fixed& fixed) { device.copy(fixed).fetch(); }

}    // namespace fail

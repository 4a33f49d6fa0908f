// EXPECT fail::Samples
// EXPECT the second field
// EXPECT a pointer without a count (see Class and Name) cannot go to a device: list it as ferry::arrayOf(pointer, count)
#include <ferry/device.hpp>

namespace fail {

struct Samples {
    int count = 0;
    double* values = nullptr;
};

void copy(ferry::Device& device, Samples& samples) { device.copy(samples); }

}    // namespace fail

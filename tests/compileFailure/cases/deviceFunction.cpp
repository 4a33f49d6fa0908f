// EXPECT fail::Handler
// EXPECT the second field
// EXPECT cannot go to a device, whose kernels have no allocator
#include <functional>

#include <ferry/device.hpp>

namespace fail {

struct Handler {
    int number = 0;
    std::function<void()> call;
};

void copy(ferry::Device& device, Handler& handler) { device.copy(handler); }

}    // namespace fail

// EXPECT fetch<View>() brings back members that were copied
#include <ferry/device.hpp>

namespace fail {

struct Place {
    int x = 0;
    int y = 0;
};

void copy(ferry::Device& device, Place& place) {
    auto there = device.copy(ferry::part<ferry::View<&Place::x>>(place));
    there.fetch<ferry::View<&Place::y>>();
}

}    // namespace fail

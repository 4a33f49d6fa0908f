// EXPECT fail::Room
// EXPECT "seats"
// EXPECT cannot go to a device, whose kernels have no allocator
#include <map>

#include <ferry/device.hpp>

namespace fail {

struct Room {
    std::map<int, int> seats;
    FERRY_FIELDS(seats)
};

void copy(ferry::Device& device, Room& room) { device.copy(room); }

}    // namespace fail

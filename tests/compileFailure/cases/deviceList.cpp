// EXPECT fail::Queue
// EXPECT "waiting"
// EXPECT make it a std::vector
#include <list>

#include <ferry/device.hpp>

namespace fail {

struct Queue {
    std::list<int> waiting;
    FERRY_FIELDS(waiting)
};
struct Office {
    std::vector<Queue*> queues;
    FERRY_FIELDS(queues)
};

void copy(ferry::Device& device, Office& office) { device.copy(office); }

}    // namespace fail

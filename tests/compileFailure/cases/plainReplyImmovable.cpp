// EXPECT fail::Counter
// EXPECT ferry: the Reply of a task (see Reply) is what get() of its future returns, so it must be movable
#include <atomic>

#include <ferry/framework/master/Master.hpp>

namespace fail {

struct Counter {
    std::atomic<int> count;
};
struct Count {
    int number = 0;
    using Reply = Counter;
};

void use(ferry::Master& master) { static_cast<void>(master.submit(Count{12})); }

}    // namespace fail

// EXPECT fail::Counter
// EXPECT ferry: no call can return a value that cannot be moved (see T): receive it into an object that is there
#include <atomic>

#include <ferry/connector/Connector.hpp>

namespace fail {

struct Counter {
    std::atomic<int> count;
};
void call(ferry::Connector& c) { c.receive<Counter>(0); }

}    // namespace fail

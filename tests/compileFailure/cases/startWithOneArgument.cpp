// EXPECT <lambda(int)>
// EXPECT cannot combine two values (see T): it takes two of them, or two elements of vectors, and returns one; Sum needs a +
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) {
    c.startScan(1, [](int n) { return n; }).get();
}

}    // namespace fail

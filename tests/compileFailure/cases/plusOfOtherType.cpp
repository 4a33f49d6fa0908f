// EXPECT std::plus<int>
// EXPECT cannot combine two values (see T): it takes two of them, or two elements of vectors, and returns one; Sum needs a +
#include <functional>
#include <string>

#include <ferry/connector/Connector.hpp>

namespace fail {

std::string call(ferry::Connector& c) { return c.allReduce(std::string("a"), std::plus<int>()); }

}    // namespace fail

// EXPECT Operator = ferry::Product]
// EXPECT cannot combine two values (see T): it takes two of them, or two elements of vectors, and returns one; Sum needs a +
#include <string>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.startAllReduce(std::string("a"), ferry::Product{}).get(); }

}    // namespace fail

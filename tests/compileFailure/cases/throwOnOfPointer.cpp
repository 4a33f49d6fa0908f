// EXPECT [with E = std::runtime_error*]
// EXPECT ferry: a pointer (see E) leads to nothing on another rank: pass the exception itself
#include <stdexcept>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.throwOn(1, new std::runtime_error("no")); }

}    // namespace fail

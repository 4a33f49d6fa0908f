// EXPECT // ferry: a tag is a ferry::Tag: receive<T>(rank, ferry::Tag(7))
#include <ferry/connector/Connector.hpp>

namespace fail {

int call(ferry::Connector& c) { return c.receive<int>(1, 7); }

}    // namespace fail

// EXPECT // ferry: a tag is a ferry::Tag: send(rank, value, ferry::Tag(7))
#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c) { c.send(1, 2.5, 7); }

}    // namespace fail

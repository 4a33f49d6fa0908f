// EXPECT // ferry: a tag is a ferry::Tag: tryProbe(rank, ferry::Tag(7))
#include <ferry/connector/Connector.hpp>

namespace fail {

bool call(ferry::Connector& c) { return c.tryProbe(1, 7).has_value(); }

}    // namespace fail

// EXPECT // ferry: a tag is a ferry::Tag: probe(rank, ferry::Tag(7))
#include <ferry/connector/Connector.hpp>

namespace fail {

int call(ferry::Connector& c) { return c.probe(1, 7).from; }

}    // namespace fail

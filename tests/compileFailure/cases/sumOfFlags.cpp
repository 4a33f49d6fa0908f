// EXPECT ferry: a sum or product of bools is a number: use Or or And, or reduce numbers
#include <ferry/connector/Connector.hpp>

namespace fail {

bool call(ferry::Connector& c) { return c.allReduce(true, ferry::Sum{}); }

}    // namespace fail

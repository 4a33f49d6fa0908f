// EXPECT ferry: a view (see T) owns nothing on the rank that gets it
#include <span>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c, std::span<const int> numbers) { c.startBroadcast(numbers).get(); }

}    // namespace fail

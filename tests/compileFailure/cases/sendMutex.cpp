// EXPECT [with T = std::mutex]
// EXPECT ferry: this type (see T in the lines near this one) cannot be written
#include <mutex>

#include <ferry/connector/Connector.hpp>

namespace fail {

void call(ferry::Connector& c, std::mutex& m) { c.send(1, m); }

}    // namespace fail

// EXPECT [with E = fail::Full]
// EXPECT ferry: an exception that is thrown on another rank is copied, but its class (see E) cannot be copied
#include <memory>
#include <stdexcept>

#include <ferry/connector/Connector.hpp>

namespace fail {

class Full : public std::runtime_error {
public:
    Full() : std::runtime_error("full") {}
    std::unique_ptr<int> seats;
};
void call(ferry::Connector& c) { c.throwOn(1, Full()); }

}    // namespace fail

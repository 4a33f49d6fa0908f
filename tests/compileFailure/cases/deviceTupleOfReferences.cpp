// EXPECT fail::Rates
// EXPECT "limits"
// EXPECT make it a std::vector
#include <tuple>

#include <ferry/device.hpp>

namespace fail {

struct Rates {
    std::tuple<double&, int> limits;
    FERRY_DEVICE_FIELDS(limits)
};

void copy(ferry::Device& device, Rates& rates) { device.copy(rates); }

}    // namespace fail

// EXPECT fail::Clock
// EXPECT cannot be written: list its fields with FERRY_FIELDS(...)
#include <vector>

#include <ferry/serialization/Codec.hpp>

namespace fail {

class Clock {
public:
    virtual ~Clock() = default;
};

void write(ferry::IntWriter& out, const std::vector<Clock>& clocks) { out << clocks; }

}    // namespace fail

// EXPECT fail::Row
// EXPECT derives from what it would travel as, and its own members would be lost: give it FERRY_FIELDS_AFTER(Base, ...)
#include <vector>

#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Row : std::vector<int> {
    int number = 0;
};

void write(ferry::IntWriter& out, const std::vector<Row>& rows) { out << rows; }

}    // namespace fail

// EXPECT fail::Row
// EXPECT a plain struct (see T) with a C array cannot be taken apart: make it a std::array, or list the fields with FERRY_FIELDS(...)
#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Row {
    int number;
    int cells[3];
};

void write(ferry::IntWriter& out, const Row& row) { out << row; }

}    // namespace fail

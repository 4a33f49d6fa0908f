// EXPECT fail::Line
// EXPECT the fields of a plain struct (see T) cannot be counted: list them with FERRY_FIELDS(...)
#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Pinned {
    explicit Pinned(int at);
    Pinned(const Pinned&) = delete;
    int place;
};

struct Line {
    Pinned from, to;
    int& length;
};

void write(ferry::IntWriter& out, const Line& line) { out << line; }

}    // namespace fail

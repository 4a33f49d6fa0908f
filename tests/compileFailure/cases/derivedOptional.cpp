// EXPECT fail::Seat
// EXPECT derives from what it would travel as, and its own members would be lost
#include <optional>

#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Place : std::optional<int> {};

struct Seat : Place {
    char row = 'a';
};

void read(ferry::IntReader& in, Seat& seat) { in >> seat; }

}    // namespace fail

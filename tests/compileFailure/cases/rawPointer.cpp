// EXPECT fail::Node*
// EXPECT a raw pointer cannot travel by itself: use std::unique_ptr or std::shared_ptr
#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Node {
    int number = 0;
};

void write(ferry::IntWriter& out, Node* node) { out << node; }

}    // namespace fail

// EXPECT [with T = char [6]]
// EXPECT would be written without its length: write a std::string_view
#include <ferry/serialization/Codec.hpp>

namespace fail {

void write(ferry::IntWriter& out) { out << "hello"; }

}    // namespace fail

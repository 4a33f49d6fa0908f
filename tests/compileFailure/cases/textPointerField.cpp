// EXPECT ferry: a pointer to text does not own it: use a std::string
#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Name {
    const char* text;
};
void write(ferry::IntWriter& out, const Name& name) { out << name; }

}    // namespace fail

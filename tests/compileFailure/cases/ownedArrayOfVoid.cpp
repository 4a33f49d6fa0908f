// EXPECT a pointer to void does not tell what to write
#include <ferry/serialization/Fields.hpp>

namespace fail {

struct Buffer {
    void* bytes = nullptr;
    int count = 0;
    FERRY_FIELDS(ferry::ownedArray(bytes, count))
};

void write(ferry::IntWriter& out, const Buffer& buffer) { buffer.writeToInts(out); }
void read(ferry::IntReader& in, Buffer& buffer) { buffer.readFromInts(in); }

}    // namespace fail

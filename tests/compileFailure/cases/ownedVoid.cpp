// EXPECT a pointer to void does not tell what to write
#include <ferry/serialization/Fields.hpp>

namespace fail {

struct Handle {
    void* data = nullptr;
    FERRY_FIELDS(ferry::owned(data))
};

void write(ferry::IntWriter& out, const Handle& handle) { handle.writeToInts(out); }

}    // namespace fail

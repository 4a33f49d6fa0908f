// EXPECT a pointer to a number does not tell how many there are: use ferry::arrayOf(pointer, count)
#include <ferry/serialization/Fields.hpp>

namespace fail {

struct Signal {
    int count = 0;
    double* samples = nullptr;
    FERRY_FIELDS(count, samples)
};

void write(ferry::IntWriter& out, const Signal& signal) { signal.writeToInts(out); }

}    // namespace fail

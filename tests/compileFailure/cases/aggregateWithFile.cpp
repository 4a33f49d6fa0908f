// EXPECT fail::Log
// EXPECT an open file (a pointer to FILE) cannot travel: send its path
#include <cstdio>
#include <string>

#include <ferry/serialization/Codec.hpp>

namespace fail {

struct Log {
    std::string path;
    std::FILE* file;
};

void write(ferry::IntWriter& out, const Log& log) { out << log; }

}    // namespace fail

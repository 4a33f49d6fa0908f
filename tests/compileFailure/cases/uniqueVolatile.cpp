// EXPECT volatile long int
// EXPECT ferry: a volatile value behind a pointer (see T) cannot travel: take volatile off, or make it a std::atomic
#include <memory>

#include <ferry/serialization/Codec.hpp>

namespace fail {

using State = std::unique_ptr<volatile long>;

void write(ferry::IntWriter& out, const State& state) { out << state; }
void read(ferry::IntReader& in, State& state) { in >> state; }

}    // namespace fail

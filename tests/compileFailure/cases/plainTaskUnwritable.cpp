// EXPECT std::mutex
// EXPECT cannot be written
#include <mutex>

#include <ferry/framework/slave/Slave.hpp>

namespace fail {

struct Square {
    std::mutex mutex{};
    using Reply = long;
};

void define(ferry::Slave& slave) {
    slave.on<Square>([](const Square&) { return 1L; });
}

}    // namespace fail

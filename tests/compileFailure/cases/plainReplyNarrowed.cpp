// EXPECT fail::Square
// EXPECT a handler returns the Reply of its task
#include <ferry/framework/slave/Slave.hpp>

namespace fail {

struct Square {
    int number = 0;
    using Reply = long;
};

void define(ferry::Slave& slave) {
    slave.on<Square>([](const Square& task) { return 0.5 * task.number; });
}

}    // namespace fail

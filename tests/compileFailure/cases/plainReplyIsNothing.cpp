// EXPECT fail::Square
// EXPECT a handler of a task with `using Reply = void;` returns nothing
#include <ferry/framework/slave/Slave.hpp>

namespace fail {

struct Square {
    int number = 0;
    using Reply = void;
};

void define(ferry::Slave& slave) {
    slave.on<Square>([](const Square& task) { return task.number; });
}

}    // namespace fail

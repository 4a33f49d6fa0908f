// EXPECT fail::Square
// EXPECT a handler that returns nothing needs `using Reply = ferry::Done;`
#include <ferry/framework/slave/Slave.hpp>

namespace fail {

struct Square {
    int number = 0;
    using Reply = long;
};

void define(ferry::Slave& slave) {
    slave.on<Square>([](const Square&) {});
}

}    // namespace fail

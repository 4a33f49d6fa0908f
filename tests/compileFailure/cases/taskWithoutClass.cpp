// EXPECT fail::Square
// EXPECT a task needs, in its public part, FERRY_CLASS(...) of its own
#include <ferry/framework/slave/Slave.hpp>

namespace fail {

class Square : public ferry::Message {
public:
    using Reply = ferry::Done;
    FERRY_FIELDS(number)
    int number = 0;
};

void define(ferry::Slave& slave) {
    slave.on<Square>([](const Square&) {});
}

}    // namespace fail

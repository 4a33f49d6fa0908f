// EXPECT fail::Square
// EXPECT a handler that returns nothing needs `using Reply = ferry::Done;`
#include <ferry/framework/slave/Slave.hpp>

namespace fail {

class Square : public ferry::Message {
public:
    FERRY_CLASS(fail::Square)
    FERRY_FIELDS(number)
    using Reply = Square;
    int number = 0;
};

void define(ferry::Slave& slave) {
    slave.on<Square>([](const Square&) {});
}

}    // namespace fail

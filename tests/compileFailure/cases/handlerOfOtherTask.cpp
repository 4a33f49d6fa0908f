// EXPECT fail::Square
// EXPECT a handler takes (const Request&), (const Request&, ferry::Task&) or (const Request&, ferry::Team&)
#include <ferry/framework/slave/Slave.hpp>

namespace fail {

class Square : public ferry::Message {
public:
    FERRY_CLASS(fail::Square)
    FERRY_FIELDS(number)
    using Reply = ferry::Done;
    int number = 0;
};

void define(ferry::Slave& slave) {
    slave.on<Square>([](ferry::Task&, const Square&) {});
}

}    // namespace fail

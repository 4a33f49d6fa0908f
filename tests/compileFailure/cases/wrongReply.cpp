// EXPECT fail::Square
// EXPECT a handler returns the Reply of its task
#include <ferry/framework/slave/Slave.hpp>

namespace fail {

class Answer : public ferry::Message {
public:
    FERRY_CLASS(fail::Answer)
    FERRY_FIELDS(square)
    long square = 0;
};

class Square : public ferry::Message {
public:
    FERRY_CLASS(fail::Square)
    FERRY_FIELDS(number)
    using Reply = Answer;
    int number = 0;
};

void define(ferry::Slave& slave) {
    slave.on<Square>([](const Square& task) { return static_cast<long>(task.number) * task.number; });
}

}    // namespace fail

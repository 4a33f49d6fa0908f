// EXPECT fail::Square
// EXPECT a task names what its handler returns: add `using Reply = SomeMessage;`
#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/slave/Slave.hpp>

namespace fail {

class Square : public ferry::Message {
public:
    FERRY_CLASS(fail::Square)
    FERRY_FIELDS(number)
    int number = 0;
};

void define(ferry::Slave& slave) {
    slave.on<Square>([](const Square& task) { return task; });
}

void use(ferry::Master& master) {
    auto future = master.submit(Square());
    static_cast<void>(future.get());
}

}    // namespace fail

// EXPECT fail::Square
// EXPECT a task names what its handler returns: add `using Reply = SomeMessage;`
// EXPECT `using Reply = long;` or any other type that travels
#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/slave/Slave.hpp>

namespace fail {

struct Square {
    int number = 0;
};

void define(ferry::Slave& slave) {
    slave.on<Square>([](const Square& task, ferry::Task& about) {
        about.submit(Square{task.number});
        return task.number;
    });
}

void use(ferry::Master& master) {
    auto future = master.submit(Square{12});
    static_cast<void>(future.get());
    master.onSubmitted<Square>([](auto) {});
}

}    // namespace fail

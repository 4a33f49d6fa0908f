#include <ferry/ferry.hpp>
#include <cstdio>
struct Square { int number = 0; using Reply = long; };    // a task and its reply
int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    app.slave().on<Square>([](const Square& task) {    // what a slave does with it
        if (task.number > 46340) throw std::out_of_range("the number is over 46340");
        return static_cast<long>(task.number) * task.number;
    });
    return app.run([](ferry::Master& master) {
        std::printf("%ld\n", master.submit(Square{12}).get());
        try { master.submit(Square{99999}).get(); }    // thrown on a slave
        catch (const std::out_of_range& e) { std::printf("%s\n", e.what()); }
    });
}

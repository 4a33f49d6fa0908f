// An exception that a shared library throws on a slave is caught on the master with its class and its data: prints "left: 7", "missing: 5"
// and "thrown in Till.cpp".
#include <cstdio>
#include <cstring>

#include <till/Till.hpp>

struct Payment {
    int coins = 0;
    using Reply = long;
};

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    app.slave().on<Payment>([](const Payment& task) { return pay(task.coins); });
    return app.run([](ferry::Master& master) {
        std::printf("left: %ld\n", master.submit(Payment{3}).get());
        try {
            master.submit(Payment{15}).get();
        } catch (const Shortage& shortage) {
            std::printf("missing: %d\n", shortage.missing);
            const bool hasPlace = ferry::report(std::current_exception()).find("Till.cpp") != std::string::npos;
            std::printf("thrown in %s\n", hasPlace ? "Till.cpp" : "an unknown place");
        }
    });
}

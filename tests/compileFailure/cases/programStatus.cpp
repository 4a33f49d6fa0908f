// EXPECT the program of run() and runOnAll() returns nothing, or an int: the exit status
#include <ferry/framework/Application.hpp>

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    return app.run([](ferry::Master&) { return "done"; });
}

// Checks whether throws are recorded: those of the program and those of the standard library. The build links it in different ways.
//     PROGRAM recorded|unrecorded
#include <cstdio>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <ferry/tests/serialization/exception/linkage/ThrowProbe.hpp>

namespace {

void throwItself() { throw std::logic_error("by the program"); }

void letTheLibraryThrow() {
    std::vector<int> values;
    values.at(3) = 1;
}

}    // namespace

int main(int argumentCount, char** arguments) {
    const bool isExpected = argumentCount > 1 && std::string_view(arguments[1]) == "recorded";
    for (void (*const function)() : {throwItself, letTheLibraryThrow}) {
        const int count = ferry::test::frameCountOf(function);
        std::printf("%d frames\n", count);
        if (isExpected ? count < 3 : count != -1) return 1;
    }
    return 0;
}

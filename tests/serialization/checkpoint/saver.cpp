#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/serialization/checkpoint/CheckpointFile.hpp>

// Saves one state after the other, until it is killed, or looks whether a whole state is there.
//
// usage: saver save PATH FIRST [COUNT]    saves the states FIRST, FIRST + 1, ...; prints the number of each when it is saved
//        saver check PATH                 prints the number of the state that is there

namespace {

struct State {
    int number = 0;
    std::vector<int> values;
    std::vector<std::string> texts;
};

State stateOf(int number) {
    State state{number, std::vector<int>(400'000, number), {}};    // two chunks, and a bit
    for (int i = 0; i < 100; ++i) state.texts.push_back(std::to_string(number));
    return state;
}

int save(const char* path, int first, int count) {
    for (int i = 0; i < count; ++i) {
        ferry::save(path, stateOf(first + i));
        std::printf("%d\n", first + i);
        std::fflush(stdout);
    }
    return 0;
}

int check(const char* path) {
    const auto state = ferry::load<State>(path);
    const State expected = stateOf(state.number);
    if (state.values != expected.values || state.texts != expected.texts) {
        std::fprintf(stderr, "state %d is not whole\n", state.number);
        return 1;
    }
    std::printf("%d\n", state.number);
    return 0;
}

int numberOf(const char* text) {
    int number = 0;
    std::from_chars(text, text + std::strlen(text), number);
    return number;
}

}    // namespace

int main(int argc, char** argv) {
    const std::string_view verb = argc > 2 ? argv[1] : "";
    try {
        if (verb == "save" && argc > 3) return save(argv[2], numberOf(argv[3]), argc > 4 ? numberOf(argv[4]) : 1'000'000);
        if (verb == "check") return check(argv[2]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "saver: %s\n", error.what());
        return 1;
    }
    std::fprintf(stderr, "usage: saver save PATH FIRST [COUNT] | saver check PATH\n");
    return 2;
}

#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/GraphFile.hpp>

// Saves one state after the other, until it is killed, or checks that the file holds a whole state.
//
// usage: saver save FORM PATH FIRST [COUNT]    saves the states FIRST, FIRST + 1, ...; prints the number of each state after its save
//        saver check FORM PATH                 prints the number of the state in the file
//
// FORM: object (one object with large members) or graph (a ring of nodes that point to each other).

namespace {

struct State {
    int number = 0;
    std::vector<int> values;
    std::vector<std::string> texts;
};

State stateOf(int number) {
    State state{number, std::vector<int>(400'000, number), {}};    // more than two chunks
    for (int i = 0; i < 100; ++i) state.texts.push_back(std::to_string(number));
    return state;
}

void saveObject(const char* path, int number) { ferry::save(path, stateOf(number)); }

/// Returns the number of the state in the file. Throws when the state is not whole.
int numberOfObject(const char* path) {
    const auto state = ferry::load<State>(path);
    const State expected = stateOf(state.number);
    if (state.values != expected.values || state.texts != expected.texts) throw std::runtime_error("the object is not whole");
    return state.number;
}

struct Link {
    int number = 0;
    std::vector<int> values;
    Link* next = nullptr;
};

constexpr std::size_t linkCount = 4'000;    // each link has about 400 bytes, so the graph has several pieces

void saveRing(const char* path, int number) {
    std::vector<Link> ring(linkCount);
    for (std::size_t i = 0; i < linkCount; ++i) ring[i] = Link{number, std::vector<int>(100, number), &ring[(i + 1) % linkCount]};
    ferry::saveGraph(path, &ring.front());
}

int numberOfRing(const char* path) {
    const auto graph = ferry::loadGraph<Link>(path);
    const Link* const first = graph.root();
    const int number = first->number;
    const std::vector<int> expected(100, number);
    const Link* link = first;
    for (std::size_t i = 0; i < linkCount; ++i, link = link->next) {
        if (link->number != number || link->values != expected || (i > 0 && link == first)) throw std::runtime_error("the ring is not whole");
    }
    if (link != first) throw std::runtime_error("the ring is not closed");
    return number;
}

/// The functions that save and load a state in one form.
struct Form {
    std::string_view name;
    void (*save)(const char* path, int number);
    int (*numberIn)(const char* path);
};

constexpr Form forms[] = {{"object", saveObject, numberOfObject}, {"graph", saveRing, numberOfRing}};

const Form* formNamed(std::string_view name) {
    for (const Form& form : forms) {
        if (form.name == name) return &form;
    }
    return nullptr;
}

int save(const Form& form, const char* path, int first, int count) {
    for (int number = first; number < first + count; ++number) {
        form.save(path, number);
        std::printf("%d\n", number);
        std::fflush(stdout);
    }
    return 0;
}

int numberOf(const char* text) {
    int number = 0;
    std::from_chars(text, text + std::strlen(text), number);
    return number;
}

}    // namespace

int main(int argc, char** argv) {
    const std::string_view verb = argc > 3 ? argv[1] : "";
    const Form* const form = argc > 3 ? formNamed(argv[2]) : nullptr;
    try {
        if (form && verb == "save" && argc > 4) return save(*form, argv[3], numberOf(argv[4]), argc > 5 ? numberOf(argv[5]) : 1'000'000);
        if (form && verb == "check") {
            std::printf("%d\n", form->numberIn(argv[3]));
            return 0;
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "saver: %s\n", error.what());
        return 1;
    }
    std::fprintf(stderr, "usage: saver save object|graph PATH FIRST [COUNT] | saver check object|graph PATH\n");
    return 2;
}

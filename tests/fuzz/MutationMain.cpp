#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/tests/fuzz/Corpus.hpp>
#include <ferry/tests/fuzz/FuzzTarget.hpp>
#include <ferry/tests/fuzz/Mutation.hpp>

// Reads damaged messages. A broken promise ends the program with a text. Needs no support of the compiler.
// Equal seeds make equal messages, so a debugger can find the bad message again.
//
// usage: ferryFuzz TARGET [--corpus FOLDER] [--count N] [--seed S] [--write-corpus FOLDER] [--memory]
//     TARGET            reader, polymorphic, messages, checkpoint, graph, jobs, json or xml
//     --corpus          reads each file of the folder first
//     --count, --seed   number and seed of the damaged messages (default: 20000 from seed 1)
//     --write-corpus    writes the good messages from which the others are made, and reads nothing
//     --memory          prints the memory use of long messages of the most costly elements, and reads nothing else

namespace {

using namespace ferry::test;

struct Options {
    std::string target;
    std::filesystem::path corpus;
    std::filesystem::path corpusToWrite;
    std::uint64_t count = 20'000;
    std::uint64_t seed = 1;
    bool showsMemory = false;
};

bool readNumber(std::string_view text, std::uint64_t& number) {
    return std::from_chars(text.data(), text.data() + text.size(), number).ptr == text.data() + text.size() && !text.empty();
}

bool readOptions(const std::vector<std::string_view>& arguments, Options& options) {
    if (arguments.empty()) return false;
    options.target = arguments[0];
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const std::string_view name = arguments[i];
        if (name == "--memory") {
            options.showsMemory = true;
            continue;
        }
        if (i + 1 == arguments.size()) return false;
        const std::string_view value = arguments[++i];
        if (name == "--corpus") {
            options.corpus = value;
        } else if (name == "--write-corpus") {
            options.corpusToWrite = value;
        } else if (name == "--count") {
            if (!readNumber(value, options.count)) return false;
        } else if (name == "--seed") {
            if (!readNumber(value, options.seed)) return false;
        } else {
            return false;
        }
    }
    return true;
}

/// Number of messages for each outcome.
struct Counts {
    std::uint64_t refused = 0;
    std::uint64_t readWhole = 0;

    void add(Outcome outcome) { ++(outcome == Outcome::Refused ? refused : readWhole); }
};

void showMemory(FuzzTarget& target) {
    std::printf("%-30s %18s %18s\n", "bytes for each byte read", "one block (limit)", "in all (limit)");
    for (const MemoryUse& use : target.measureMemory())
        std::printf("%-30s %10.1f (%5zu) %10.1f (%5zu)\n", use.name.c_str(), use.measuredLargest, use.largestPerByte, use.measuredPeak,
                    use.peakPerByte);
}

int runMessages(FuzzTarget& target, const Options& options, std::vector<std::vector<std::int32_t>> good) {
    for (std::size_t i = 0; i < good.size(); ++i) {
        if (target.run(good[i]) == Outcome::Refused) {
            std::fprintf(stderr, "%s: good message %zu was refused\n", options.target.c_str(), i);
            return 1;
        }
    }
    Counts corpus;
    if (!options.corpus.empty()) {
        for (auto& [path, ints] : readCorpus(options.corpus)) {
            corpus.add(target.run(ints));
            if (!ints.empty()) good.push_back(std::move(ints));
        }
    }
    Mutation mutation(std::move(good), options.seed);
    Counts damaged;
    for (std::uint64_t i = 0; i < options.count; ++i) damaged.add(target.run(mutation.next()));
    fmt::print("{}: corpus {} refused, {} read whole; damaged {} refused, {} read whole\n", options.target, corpus.refused,
               corpus.readWhole, damaged.refused, damaged.readWhole);
    if (options.count != 0 && (damaged.refused == 0 || damaged.readWhole == 0)) {
        std::fprintf(stderr, "%s: messages of one of the two kinds are missing, so this proves nothing\n", options.target.c_str());
        return 1;
    }
    return 0;
}

int run(const Options& options) {
    const std::unique_ptr<FuzzTarget> target = makeFuzzTarget(options.target);
    if (!target) {
        std::fprintf(stderr, "no target of the name %s\n", options.target.c_str());
        return 2;
    }
    if (options.showsMemory) {
        showMemory(*target);
        return 0;
    }
    std::vector<std::vector<std::int32_t>> good;
    for (const ferry::IntBuffer& seed : target->seeds()) good.emplace_back(seed.ints().begin(), seed.ints().end());
    if (options.corpusToWrite.empty()) return runMessages(*target, options, std::move(good));
    for (std::size_t i = 0; i < good.size(); ++i) writeCorpusFile(options.corpusToWrite / fmt::format("good{:02}", i), good[i]);
    return 0;
}

}    // namespace

int main(int argc, char** argv) {
    Options options;
    if (!readOptions({argv + 1, argv + argc}, options)) {
        std::fprintf(stderr, "usage: ferryFuzz TARGET [--corpus FOLDER] [--count N] [--seed S] [--write-corpus FOLDER] [--memory]\n");
        return 2;
    }
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ferryFuzz: %s\n", error.what());
        return 1;
    }
}

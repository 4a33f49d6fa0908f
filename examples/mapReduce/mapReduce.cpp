// A map-reduce whose intermediate results never pass through the master: they stay with the slaves that made them, and tasks that read them
// run there. The master brings one result, the last one.
#include <cstddef>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <ferry/ferry.hpp>

namespace {

using Counts = std::map<std::string, long>;

/// Counts the words of one part of a text, here of a made one.
struct CountWords {
    unsigned part = 0;
    using Reply = Counts;
};

/// Adds up two results of CountWords or of itself.
struct Merge {
    ferry::Ref<Counts> left;
    ferry::Ref<Counts> right;
    using Reply = Counts;
};

Counts countWords(const CountWords& task) {
    std::mt19937 random(task.part);    // the same numbers everywhere
    Counts counts;
    for (int i = 0; i < 20'000; ++i) ++counts["word" + std::to_string(random() % 1000 * (random() % 1000) / 1000)];
    return counts;
}

Counts merge(const Merge& task) {
    Counts sum = *task.left;
    for (const auto& [word, count] : *task.right) sum[word] += count;
    return sum;
}

void program(ferry::Master& master) {
    std::vector<ferry::Future<ferry::Ref<Counts>>> mapped;
    for (unsigned part = 0; part < 16; ++part) mapped.push_back(master.submit(CountWords{part}, ferry::Keep{}));
    std::vector<ferry::Ref<Counts>> level;
    for (auto& future : mapped) level.push_back(future.get());    // gets where the result is, and not the result
    while (level.size() > 1) {
        std::vector<ferry::Future<ferry::Ref<Counts>>> merged;
        for (std::size_t i = 0; i + 1 < level.size(); i += 2) merged.push_back(master.submit(Merge{level[i], level[i + 1]}, ferry::Keep{}));
        level.clear();    // the open tasks hold what they read
        for (auto& future : merged) level.push_back(future.get());
    }
    const Counts counts = level.front().get();    // travels to the master
    long total = 0;
    for (const auto& [word, count] : counts) total += count;
    std::printf("%ld words, %zu different ones, word0 %ld times\n", total, counts.size(), counts.at("word0"));
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application app(argc, argv, ferry::ThreadRanks{4});
    app.slave().on<CountWords>(countWords).on<Merge>(merge);
    return app.run(program);
}

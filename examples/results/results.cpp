// Searches a database for sequences that resemble some queries, with classes of another library.
// Slaves send an overview of their results first. The alignments of the best results follow.
// results.toml says which members of the results travel.
#include <results.views.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <ferry/examples/results/Search.hpp>
#include <ferry/ferry.hpp>

namespace {

constexpr std::size_t Sequences = 96, SequencesPerTask = 12, Queries = 6, Wanted = 10;
constexpr int MinScore = 24;

class OverviewReply : public ferry::Message {
public:
    FERRY_CLASS(OverviewReply)
    void writeToInts(ferry::IntWriter& out) const override { out << ferry::part<results::Overview>(found); }
    void readFromInts(ferry::IntReader& in) override { in >> ferry::part<results::Overview>(found); }
    homology::Results found;
};

class FoundReply : public ferry::Message {
public:
    FERRY_CLASS(FoundReply)
    void writeToInts(ferry::IntWriter& out) const override { out << ferry::part<results::Found>(found); }
    void readFromInts(ferry::IntReader& in) override { in >> ferry::part<results::Found>(found); }
    homology::Results found;
};

/// Asks for the scores of the sequences [first, last) of the database.
class SearchBlock : public ferry::Message {
public:
    FERRY_CLASS(SearchBlock)
    FERRY_FIELDS(query, first, last)
    using Reply = OverviewReply;
    homology::Sequence query;
    std::size_t first = 0, last = 0;
};

/// Asks for the scores and alignments of the sequences [first, last) whose score reaches that of the worst wanted hit.
class AlignBlock : public ferry::Message {
public:
    FERRY_CLASS(AlignBlock)
    FERRY_FIELDS(query, first, last, minScore)
    using Reply = FoundReply;
    homology::Sequence query;
    std::size_t first = 0, last = 0;
    int minScore = 0;
};

std::string randomLetters(std::size_t count, std::mt19937& random) {
    std::string letters;
    while (letters.size() < count) letters.push_back("ACGT"[random() % 4]);
    return letters;
}

/// Changes, drops and doubles some letters at random.
std::string mutated(const std::string& letters, std::mt19937& random) {
    std::string changed;
    for (const char letter : letters) {
        const auto chance = random() % 20;
        if (chance != 0) changed.push_back(chance == 1 ? "ACGT"[random() % 4] : letter);
        if (chance == 2) changed.push_back(letter);
    }
    return changed;
}

/// The database. Every rank computes the same one, as if each rank had read it from a file.
const homology::Database& database() {
    static const homology::Database sequences = [] {
        std::mt19937 random(1);
        const std::string family = randomLetters(60, random);
        homology::Database made;
        for (std::size_t i = 0; i < Sequences; ++i) {
            std::string letters = randomLetters(100 + random() % 100, random);
            if (i % 3 == 0) letters.insert(random() % letters.size(), mutated(family, random));
            made.emplace_back("S" + std::to_string(i), std::move(letters));
        }
        return made;
    }();
    return sequences;
}

homology::Sequence makeQuery(std::size_t number) {
    const std::string& letters = database()[3 * number].letters();
    return {"Q" + std::to_string(number), letters.substr(letters.size() / 4, 64)};
}

/// The score of the last wanted hit.
int scoreToReach(const homology::Results& overview) {
    return overview.hits().size() < Wanted ? MinScore : overview.hits()[Wanted - 1].best();
}

template <class Task>
homology::Results searchAll(ferry::Master& master, Task task) {
    std::vector<ferry::Future<typename Task::Reply>> replies;
    for (std::size_t first = 0; first < Sequences; first += SequencesPerTask) {
        task.first = first;
        task.last = first + SequencesPerTask;
        replies.push_back(master.submit(task));
    }
    homology::Results all(task.query, database());
    for (auto& reply : replies) all.merge(std::move(reply.get().found));
    all.sort();
    return all;
}

homology::Results bestOf(ferry::Master& master, const homology::Sequence& query) {
    SearchBlock search;
    search.query = query;
    AlignBlock align;
    align.query = query;
    align.minScore = scoreToReach(searchAll(master, search));
    return searchAll(master, align);
}

homology::Results bestOfAlone(const homology::Sequence& query) {
    const auto overview = homology::Search::run(query, database(), 0, Sequences, MinScore);
    return homology::Search::run(query, database(), 0, Sequences, scoreToReach(overview));
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    app.slave().on<SearchBlock>([](const SearchBlock& task) {
        OverviewReply reply;
        reply.found = homology::Search::run(task.query, database(), task.first, task.last, MinScore);
        return reply;
    });
    app.slave().on<AlignBlock>([](const AlignBlock& task) {
        FoundReply reply;
        reply.found = homology::Search::run(task.query, database(), task.first, task.last, task.minScore);
        return reply;
    });
    return app.run([](ferry::Master& master) {
        std::size_t hits = 0, different = 0;
        for (std::size_t number = 0; number < Queries; ++number) {
            const homology::Sequence query = makeQuery(number);
            const homology::Results found = bestOf(master, query);
            hits += found.hits().size();
            different += found == bestOfAlone(query) ? 0 : 1;
        }
        std::printf("%zu queries, %zu sequences found, %zu results differ from those of one rank\n", Queries, hits, different);
    });
}

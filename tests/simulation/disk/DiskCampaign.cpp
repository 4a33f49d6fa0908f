// Journals and replaced files on a simulated disk: the machine dies at any write, and the next run must find what it was promised.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/message/Envelope.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/framework/exception/JournalError.hpp>
#include <ferry/framework/journal/Journal.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/objects.hpp>
#include <ferry/tests/framework/JournalFiles.hpp>
#include <ferry/tests/simulation/disk/SimulatedDisk.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

namespace {

using namespace ferry;
using namespace ferry::test;

/// Counts of deaths, replies, saves and refusals over all seeds.
struct Figures {
    std::uint64_t deaths = 0;
    std::uint64_t refusals = 0;    ///< typed errors that end a seed
    std::uint64_t records = 0;
    std::uint64_t saves = 0;
};

/// The faults of one run of the process.
DiskFaults drawFaults(SeededRandom& random, bool lies) {
    DiskFaults faults;
    faults.crashAt = 1 + random.below(random.oneIn(2) ? 12 : 60);
    faults.isProcessCrash = random.oneIn(4);
    faults.writesShort = random.oneIn(3);
    if (random.oneIn(4)) {
        faults.fullAt = 1 + random.below(30);
        faults.fullCalls = 1 + random.below(6);
    }
    if (random.oneIn(6)) faults.failsFlushAt = 1 + random.below(30);
    faults.losesFlushes = lies && random.oneIn(2);
    return faults;
}

/// One journal, through as many deaths of its machine as its tasks need.
class JournalStory {
public:
    JournalStory(std::uint64_t seed, Figures& figures) : seed_(seed), random_(seed), figures_(figures), lies_(random_.oneIn(8)) {
        const auto count = 3 + random_.below(20);
        for (std::uint64_t i = 0; i < count; ++i) {
            // Some tasks are equal, and some replies have several sectors.
            tasks_.push_back(random_.oneIn(5) && i > 0 ? tasks_.back() : static_cast<int>(i));
            sizes_.push_back(random_.oneIn(4) ? 100 + random_.below(600) : random_.below(10));
        }
        flushInterval_ = std::chrono::milliseconds(random_.oneIn(2) ? 0 : 10);
    }

    /// Returns what is wrong; empty: nothing.
    std::string run() {
        constexpr int mostRuns = 200;
        for (int i = 0; i < mostRuns && !isOver_ && problem_.empty(); ++i) runOnce(i);
        if (problem_.empty() && !isOver_) problem_ = "the tasks are not done after 200 runs";
        return problem_;
    }

private:
    std::vector<std::int32_t> replyTo(std::size_t task) const { return intsOf(1000 * tasks_[task], sizes_[firstLike(task)]); }
    /// Equal tasks have equal replies.
    std::size_t firstLike(std::size_t task) const {
        std::size_t first = task;
        while (first > 0 && tasks_[first - 1] == tasks_[task]) --first;
        return first;
    }

    void runOnce(int number) {
        const DiskFaults faults = number > 150 ? DiskFaults() : drawFaults(random_, lies_);
        SimulatedDisk disk(faults, seed_ * 1000 + static_cast<std::uint64_t>(number));
        wasLied_ = wasLied_ || faults.losesFlushes;
        const bool keepsAll = faults.isProcessCrash;
        written_.clear();
        try {
            const detail::DiskScope scope(disk);
            work(number);
            isOver_ = problem_.empty();
        } catch (const JournalError& error) {
            // Records that were never promised may have holes. The journal then says so, and does not guess.
            ++figures_.refusals;
            const bool isDamage = error.problem() == JournalProblem::Damaged;
            if (!wasLied_ && (!isDamage || !mayHaveHoles_)) problem_ = error.what();
            isOver_ = true;
        } catch (const FileError&) {
            // No room, a flush that failed, or the death of the machine: the job ends, and the next run goes on.
        }
        figures_.deaths += disk.isDead() ? 1 : 0;
        mayHaveHoles_ = mayHaveHoles_ || !keepsAll;
        disk.die();
        if (keepsAll) promised_.insert(written_.begin(), written_.end());
    }

    void work(int number) {
        detail::JournalSettings settings = journalSettings(folder_ / "journal");
        settings.flushInterval = flushInterval_;
        detail::Journal journal(settings);
        std::vector<detail::JournalKey> keys;
        for (std::size_t task = 0; task < tasks_.size(); ++task) keys.push_back(journal.keyOf(taskClass, intsOf(tasks_[task])));
        detail::Journal::TimePoint now{};
        std::vector<std::size_t> unflushed;
        for (std::size_t task = 0; task < tasks_.size(); ++task) {
            now += std::chrono::milliseconds(4);
            if (const auto reply = journal.take(keys[task])) {
                ++figures_.records;
                const auto ints = reply->ints.ints().subspan(detail::Envelope::sizeInts);
                const std::vector<std::int32_t> expected = replyTo(task);
                if (!std::equal(ints.begin(), ints.end(), expected.begin(), expected.end())) return tell(number, task, "has a wrong reply");
                if (journal.take(keys[task])) return tell(number, task, "is handed out twice");
                continue;
            }
            if (promised_.contains(task) && !wasLied_) return tell(number, task, "was promised and is lost");
            journal.add(keys[task], replyClass, replyTo(task));
            unflushed.push_back(task);
            if (random_.oneIn(3) && task + 1 < tasks_.size()) continue;    // several replies in one write
            journal.write(now);
            written_.insert(unflushed.begin(), unflushed.end());
            if (journal.nextFlush() != detail::Journal::TimePoint::max()) continue;
            promised_.insert(unflushed.begin(), unflushed.end());
            unflushed.clear();
        }
    }

    void tell(int number, std::size_t task, std::string_view what) {
        problem_ = fmt::format("run {}: the reply to task {} {}", number, task, what);
    }

    std::uint64_t seed_;
    SeededRandom random_;
    Figures& figures_;
    bool lies_;
    TemporaryFolder folder_;
    std::vector<int> tasks_;
    std::vector<std::size_t> sizes_;
    std::chrono::milliseconds flushInterval_{0};
    std::set<std::size_t> promised_;    ///< tasks whose replies must be there in every later run
    std::set<std::size_t> written_;     ///< of this run: they survive the death of the process
    bool wasLied_ = false;
    bool mayHaveHoles_ = false;
    bool isOver_ = false;
    std::string problem_;
};

/// One file that is saved again and again.
std::string saveOften(std::uint64_t seed, Figures& figures) {
    SeededRandom random(seed ^ 0x5a7e);
    const TemporaryFolder folder;
    int promised = -1;    // the version that save() has returned for
    int tried = -1;
    for (int number = 0; number < 6; ++number) {
        DiskFaults faults = drawFaults(random, false);
        faults.isProcessCrash = random.oneIn(3);
        SimulatedDisk disk(faults, seed * 1000 + static_cast<std::uint64_t>(number));
        try {
            const detail::DiskScope scope(disk);
            for (int i = 0; i < 4; ++i) {
                ++tried;
                save(folder / "values", std::vector<int>(1 + random.below(3000), tried));
                ++figures.saves;
                promised = tried;
            }
        } catch (const FileError&) {}    // as in a journal
        figures.deaths += disk.isDead() ? 1 : 0;
        disk.die();
        if (!std::filesystem::exists(folder / "values")) {
            if (promised >= 0) return fmt::format("run {}: version {} was saved, and no file is there", number, promised);
            continue;
        }
        const auto values = load<std::vector<int>>(folder / "values");
        const int version = values.empty() ? -1 : values.front();
        if (version < promised || version > tried || values != std::vector<int>(values.size(), version))
            return fmt::format("run {}: version {} was saved, and version {} is there", number, promised, version);
        promised = version;
    }
    return {};
}

}    // namespace

int main(int argc, char** argv) {
    setLogLevel("off");    // thousands of journals have torn ends
    std::uint64_t first = 1;
    std::uint64_t count = 200;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument(argv[i]);
        if (argument.starts_with("--first=")) {
            first = std::strtoull(argv[i] + 8, nullptr, 10);
        } else if (argument.starts_with("--count=")) {
            count = std::strtoull(argv[i] + 8, nullptr, 10);
        } else {
            std::fprintf(stderr, "usage: ferryDiskCampaign [--first=SEED] [--count=N]\n");
            return 2;
        }
    }
    Figures figures;
    std::uint64_t findings = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        std::string problem;
        try {
            problem = JournalStory(seed, figures).run();
            if (problem.empty()) problem = saveOften(seed, figures);
        } catch (const std::exception& error) {
            problem = error.what();
        }
        if (problem.empty()) continue;
        ++findings;
        std::printf("finding: seed %llu: %s\n    ferryDiskCampaign --first=%llu --count=1\n", static_cast<unsigned long long>(seed),
                    problem.c_str(), static_cast<unsigned long long>(seed));
    }
    std::printf("%llu seeds: %llu deaths, %llu replies read again, %llu saves, %llu journals refused as damaged, %llu findings\n",
                static_cast<unsigned long long>(count), static_cast<unsigned long long>(figures.deaths),
                static_cast<unsigned long long>(figures.records), static_cast<unsigned long long>(figures.saves),
                static_cast<unsigned long long>(figures.refusals), static_cast<unsigned long long>(findings));
    return findings == 0 ? 0 : 1;
}

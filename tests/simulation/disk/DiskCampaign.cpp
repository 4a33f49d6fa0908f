// Journals and replaced files on a simulated disk: the machine dies at any write, and the next run must find what it was promised.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/message/letter/Envelope.hpp>
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
    std::uint64_t machineDeaths = 0;
    std::uint64_t processDeaths = 0;
    std::uint64_t records = 0;
    std::uint64_t saves = 0;
    std::uint64_t failures = 0;    ///< errors of files: no room, failed flushes, failed reads
    std::uint64_t harms = 0;       ///< deaths after which promised bytes are wrong, as the disk has lied
    std::uint64_t refusals = 0;    ///< typed errors after such a death
    std::uint64_t gaps = 0;        ///< such deaths after which no byte was left that could tell, so that the file is shorter
};

/// The faults of one run of the process. A disk that lies forgets what it has promised, or turns a bit of it.
DiskFaults drawFaults(SeededRandom& random, bool lies) {
    DiskFaults faults;
    faults.crashAt = 1 + random.below(random.oneIn(2) ? 12 : 60);
    faults.isProcessCrash = random.oneIn(4);
    faults.movesShort = random.oneIn(3);
    if (random.oneIn(4)) {
        faults.fullAt = 1 + random.below(30);
        faults.fullCalls = 1 + random.below(6);
    }
    if (random.oneIn(6)) faults.failsFlushAt = 1 + random.below(30);
    if (random.oneIn(6)) faults.failsReadAt = 1 + random.below(60);
    faults.losesFlushes = lies && random.oneIn(2);
    faults.flipsBit = lies && random.oneIn(4);
    return faults;
}

/// One journal, through as many deaths of its process and its machine as its tasks need.
///
/// A reply is promised when a flush has said that the reply is on the disk. After a death of the machine in which the disk kept its word,
/// the journal must open, and have each promised reply. After one in which the disk lied, all promised replies before the first wrong byte
/// must be there. The others may be gone, or the journal says at which byte it is damaged, and all before that byte is whole.
class JournalStory {
public:
    JournalStory(std::uint64_t seed, Figures& figures) : random_(seed), figures_(figures), lies_(random_.oneIn(8)), disk_(seed) {
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
    std::filesystem::path path() const { return folder_ / "journal"; }
    std::vector<std::int32_t> replyTo(std::size_t task) const { return intsOf(1000 * tasks_[task], sizes_[firstLike(task)]); }
    /// Equal tasks have equal replies.
    std::size_t firstLike(std::size_t task) const {
        std::size_t first = task;
        while (first > 0 && tasks_[first - 1] == tasks_[task]) --first;
        return first;
    }

    void runOnce(int number) {
        const DiskFaults faults = number > 150 ? DiskFaults() : drawFaults(random_, lies_);
        disk_.begin(faults);
        try {
            const detail::DiskScope scope(disk_);
            work(number);
            isOver_ = problem_.empty();
        } catch (const JournalError& error) {
            refuse(number, error);
        } catch (const FileError&) {
            // No room, a read or flush that failed, or a death: the job ends, and the next run goes on.
            ++figures_.failures;
        }
        ++(faults.isProcessCrash ? figures_.processDeaths : figures_.machineDeaths);
        disk_.end();
        if (faults.isProcessCrash || isOver_) return;
        visible_ = promised_;
        const auto harm = disk_.harmOf(path());
        if (!harm) return;
        ++figures_.harms;
        harm_ = std::min(harm_.value_or(*harm), *harm);
        keepBefore(*harm);
    }

    /// Forgets the promises whose records end behind this byte.
    void keepBefore(std::uint64_t offset) {
        std::erase_if(promised_, [&](const auto& entry) { return entry.second > offset; });
        std::erase_if(visible_, [&](const auto& entry) { return entry.second > offset; });
    }

    /// A journal was refused. The user follows the documentation: what is before the damaged record is kept.
    void refuse(int number, const JournalError& error) {
        ++figures_.refusals;
        if (!harm_) {
            problem_ = fmt::format("run {}: the disk has kept its word, and the journal is refused: {}", number, error.what());
        } else {
            // An old record may lie where the lost one was, so the damage may be told behind the first wrong byte. What is before the
            // damage must be whole: the next run is not refused.
            keepBefore(error.offset());
            disk_.cutByHand(path(), error.offset());
            harm_.reset();
        }
    }

    void work(int number) {
        detail::JournalSettings settings = journalSettings(path());
        settings.flushInterval = flushInterval_;
        detail::Journal journal(settings);
        if (harm_) ++figures_.gaps;
        harm_.reset();
        promised_ = visible_;    // what is there is on the disk now
        std::vector<detail::JournalKey> keys;
        for (std::size_t task = 0; task < tasks_.size(); ++task) keys.push_back(journal.keyOf(taskClass, intsOf(tasks_[task])));
        detail::Journal::TimePoint now{};
        std::vector<std::size_t> added;
        for (std::size_t task = 0; task < tasks_.size(); ++task) {
            now += std::chrono::milliseconds(4);
            if (const auto reply = journal.take(keys[task])) {
                ++figures_.records;
                const auto ints = reply->ints.ints().subspan(detail::Envelope::sizeInts);
                const std::vector<std::int32_t> expected = replyTo(task);
                if (!std::equal(ints.begin(), ints.end(), expected.begin(), expected.end())) return tell(number, task, "has a wrong reply");
                if (journal.take(keys[task])) return tell(number, task, "is handed out twice");
                // The record lies somewhere in the file.
                const std::uint64_t end = std::filesystem::file_size(path());
                promised_.try_emplace(task, end);
                visible_.try_emplace(task, end);
                continue;
            }
            if (promised_.contains(task)) return tell(number, task, "was promised and is lost");
            journal.add(keys[task], replyClass, replyTo(task));
            added.push_back(task);
            if (random_.oneIn(3) && task + 1 < tasks_.size()) continue;    // several replies in one write
            journal.write(now);
            const std::uint64_t end = std::filesystem::file_size(path());
            for (const std::size_t each : added) visible_[each] = end;
            added.clear();
            if (journal.nextFlush() == detail::Journal::TimePoint::max()) promised_ = visible_;
        }
    }

    void tell(int number, std::size_t task, std::string_view what) {
        problem_ = fmt::format("run {}: the reply to task {} {}", number, task, what);
    }

    SeededRandom random_;
    Figures& figures_;
    bool lies_;
    SimulatedDisk disk_;
    TemporaryFolder folder_;
    std::vector<int> tasks_;
    std::vector<std::size_t> sizes_;
    std::chrono::milliseconds flushInterval_{0};
    std::map<std::size_t, std::uint64_t> promised_;    ///< tasks with a flushed reply, and a byte behind the record
    std::map<std::size_t, std::uint64_t> visible_;     ///< and those whose reply is there as long as the machine lives
    std::optional<std::uint64_t> harm_;                ///< the first wrong byte that no run has looked at
    bool isOver_ = false;
    std::string problem_;
};

/// One file that is saved again and again.
std::string saveOften(std::uint64_t seed, Figures& figures) {
    SeededRandom random(seed ^ 0x5a7e);
    const TemporaryFolder folder;
    SimulatedDisk disk(seed);
    const bool lies = random.oneIn(8);
    int promised = -1;    // the version that save() has returned for
    int tried = -1;
    for (int number = 0; number < 6; ++number) {
        const DiskFaults faults = drawFaults(random, lies);
        disk.begin(faults);
        try {
            const detail::DiskScope scope(disk);
            for (int i = 0; i < 4; ++i) {
                ++tried;
                save(folder / "values", std::vector<int>(1 + random.below(3000), tried));
                ++figures.saves;
                promised = tried;
            }
        } catch (const FileError&) {
            ++figures.failures;
        }
        ++(faults.isProcessCrash ? figures.processDeaths : figures.machineDeaths);
        disk.end();
        const bool isHarmed = !faults.isProcessCrash && disk.harmOf(folder / "values").has_value();
        figures.harms += isHarmed ? 1 : 0;
        if (!std::filesystem::exists(folder / "values")) {
            if (promised >= 0 && !isHarmed) return fmt::format("run {}: version {} was saved, and no file is there", number, promised);
            promised = -1;
            continue;
        }
        std::vector<int> values;
        try {
            values = load<std::vector<int>>(folder / "values");
        } catch (const FileError& error) {
            ++figures.refusals;
            if (!isHarmed) return fmt::format("run {}: the disk has kept its word, and the file is refused: {}", number, error.what());
            std::filesystem::remove(folder / "values");
            promised = -1;
            continue;
        }
        const int version = values.empty() ? -1 : values.front();
        const bool isOld = version < promised && !isHarmed;
        if (isOld || version > tried || values != std::vector<int>(values.size(), version))
            return fmt::format("run {}: version {} was saved, and version {} is there", number, promised, version);
        if (!faults.isProcessCrash) promised = version;    // else the folder may not have been flushed
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
    fmt::print("{} seeds: {} deaths of the machine, {} of the process, {} failed calls, {} replies read again, {} saves\n", count,
               figures.machineDeaths, figures.processDeaths, figures.failures, figures.records, figures.saves);
    fmt::print("the disk lied {} times: {} files refused as damaged, {} journals with nothing left that could tell\n", figures.harms,
               figures.refusals, figures.gaps);
    fmt::print("{} findings: a reply lost, doubled or wrong, or a file refused on a disk that kept its word\n", findings);
    return findings == 0 ? 0 : 1;
}

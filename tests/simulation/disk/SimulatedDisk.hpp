#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/serialization/checkpoint/Disk.hpp>

namespace ferry::test {

/// The faults of a simulated disk. Numbers count calls that change something: writes, flushes, cuts, renames.
struct DiskFaults {
    std::uint64_t crashAt = 0;      ///< the machine dies at this call; 0: never
    bool isProcessCrash = false;    ///< only the process dies: all that was written stays
    std::uint64_t fullAt = 0;       ///< from this call on, for fullCalls calls, there is no room
    std::uint64_t fullCalls = 0;
    std::uint64_t failsFlushAt = 0;    ///< this call, if it is a flush, fails, and what was written before it is lost
    bool losesFlushes = false;         ///< flushes do nothing, and say that they have done it: the disk lies
    bool writesShort = false;          ///< writes take a part of their bytes, and are interrupted by signals
};

/// A disk between Ferry and real files. It knows which bytes a machine would still have after its death.
///
/// The real files have what a running machine sees: all that was written. die() puts into them what a disk could have instead: all that was
/// flushed, and of each later write any of its sectors. A rename that was not flushed may be undone.
/// Threads: one.
class SimulatedDisk final : public detail::Disk {
public:
    SimulatedDisk(const DiskFaults& faults, std::uint64_t seed) : faults_(faults), random_(seed ^ 0xd15c) {}

    ssize_t write(int file, const iovec* pieces, int count) override;
    ssize_t writeAt(int file, std::span<const std::byte> bytes, off_t offset) override;
    int cut(int file, off_t length) override;
    int flush(int file) override;
    int flushData(int file) override;
    int rename(int folder, const char* from, const char* to) override;
    int link(int folder, const char* from, const char* to) override;
    int remove(int folder, const char* name) override;

    /// Puts into the files what the disk has after the death of the machine. The next run reads it.
    void die();

    std::uint64_t callCount() const noexcept { return callCount_; }
    bool isDead() const noexcept { return isDead_; }

private:
    using Bytes = std::vector<std::byte>;

    struct Change {
        off_t offset = 0;
        Bytes bytes{};
        std::optional<off_t> length{};    ///< of a cut
    };
    struct File {
        std::filesystem::path path{};
        Bytes durable{};
        std::vector<Change> changes{};    ///< since the last flush
    };
    struct Rename {
        std::filesystem::path from{};
        std::filesystem::path to{};
        std::optional<Bytes> old{};    ///< the content that the name had; empty: the name was free
    };
    enum class Step { Go, Fail };

    Step step();
    int fail();
    File& at(int file);
    void note(int file, off_t offset, std::span<const std::byte> bytes);
    int flushFile(int file);
    void putSectors(Bytes& content, const Change& change);
    static Bytes contentOf(const std::filesystem::path& path);
    static void replace(const std::filesystem::path& path, const Bytes& content);

    DiskFaults faults_;
    SeededRandom random_;
    std::map<std::pair<dev_t, ino_t>, File> files_{};
    std::vector<Rename> renames_{};    ///< since the last flush of the folder
    std::uint64_t callCount_ = 0;
    bool isDead_ = false;
};

}    // namespace ferry::test

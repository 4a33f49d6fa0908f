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
#include <ferry/serialization/file/Disk.hpp>

namespace ferry::test {

/// The faults of a simulated disk. Numbers count calls that change something: writes, flushes, cuts, renames.
struct DiskFaults {
    std::uint64_t crashAt = 0;      ///< the machine dies at this call; 0: never
    bool isProcessCrash = false;    ///< only the process dies: all that was written stays
    std::uint64_t fullAt = 0;       ///< from this call on, for fullCalls calls, there is no room
    std::uint64_t fullCalls = 0;
    std::uint64_t failsFlushAt = 0;    ///< this call, if it is a flush, fails, and what was written before it is lost
    bool losesFlushes = false;         ///< flushes do nothing, and say that they have done it: the disk lies
    bool movesShort = false;           ///< reads and writes move a part of their bytes, and are interrupted by signals
    std::uint64_t failsReadAt = 0;     ///< this read fails
    bool flipsBit = false;             ///< after the death of the machine, one bit of the bytes that were flushed is wrong
};

/// A disk between Ferry and real files, through many runs of a process. It knows which bytes a machine would still have after its death.
///
/// The real files have what a running machine sees: all that was written. After the death of a process they stay so, and nothing more is on
/// the disk than before. After the death of the machine they have what a disk could have: all that was flushed, and of each later write any
/// of its sectors. A rename that was not flushed may be undone.
/// Threads: one.
class SimulatedDisk final : public detail::Disk {
public:
    explicit SimulatedDisk(std::uint64_t seed) : random_(seed ^ 0xd15c) {}

    /// Begins a run of the process.
    void begin(const DiskFaults& faults);
    /// Ends the run, by the death of the process or of the machine. The next run reads what is left.
    void end();
    /// Somebody cuts a file off between two runs. Length 0 removes it.
    void cutByHand(const std::filesystem::path& path, std::uint64_t length);
    /// The first byte of the file that is not as a flush has promised, after the last death of the machine. Bytes that were promised to be
    /// cut off, and are back, count too. Nothing: the disk has kept its word.
    std::optional<std::uint64_t> harmOf(const std::filesystem::path& path) const;

    ssize_t write(int file, const iovec* pieces, int count) override;
    ssize_t writeAt(int file, std::span<const std::byte> bytes, off_t offset) override;
    ssize_t read(int file, std::span<std::byte> bytes) override;
    ssize_t readAt(int file, std::span<std::byte> bytes, off_t offset) override;
    int cut(int file, off_t length) override;
    int flush(int file) override;
    int flushData(int file) override;
    int rename(int folder, const char* from, const char* to) override;
    int link(int folder, const char* from, const char* to) override;
    int remove(int folder, const char* name) override;

    bool isDead() const noexcept { return isDead_; }

private:
    using Bytes = std::vector<std::byte>;

    struct Change {
        off_t offset = 0;
        Bytes bytes{};
        std::optional<off_t> length{};    ///< of a cut
    };
    struct File {
        std::pair<dev_t, ino_t> id{};
        std::filesystem::path path{};
        Bytes durable{};
        std::vector<Change> changes{};    ///< since the last flush
        bool hasLostCut = false;          ///< a flush that did nothing has promised that the file is cut off
    };
    struct Rename {
        std::filesystem::path from{};
        std::filesystem::path to{};
        std::optional<Bytes> old{};    ///< the content that the name had; empty: the name was free
        std::optional<Bytes> oldPromised{};
        bool isPromised = false;    ///< a flush that did nothing has said that the disk has the rename
    };
    enum class Step { Go, Fail };

    Step step();
    int fail();
    File& at(int file);
    void note(int file, off_t offset, std::span<const std::byte> bytes);
    int flushFile(int file);
    bool mayRead(std::span<std::byte>& bytes);
    void dieWithMachine();
    void undoRenames();
    void flip(Bytes& content, std::size_t promisedBytes);
    void putSectors(Bytes& content, const Change& change);
    static Bytes contentOf(const std::filesystem::path& path);
    static void replace(const std::filesystem::path& path, const Bytes& content);

    DiskFaults faults_{};
    SeededRandom random_;
    std::vector<File> files_{};                                 ///< in the order of their first use, so that a seed is one story
    std::vector<Rename> renames_{};                             ///< since the last flush of the folder
    std::map<std::filesystem::path, Bytes> promised_{};         ///< what the flushes have said to be on the disk, through all runs
    std::map<std::filesystem::path, std::uint64_t> harms_{};    ///< of the last death of the machine
    std::uint64_t callCount_ = 0;
    std::uint64_t readCount_ = 0;
    bool isDead_ = false;
};

}    // namespace ferry::test

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ferry/framework/journal/Journal.hpp>
#include <ferry/framework/journal/JournalReplay.hpp>
#include <ferry/serialization/checkpoint/CheckpointFile.hpp>
#include <ferry/serialization/checkpoint/CheckpointWriter.hpp>
#include <ferry/serialization/checkpoint/FileFormat.hpp>
#include <ferry/tests/fuzz/FuzzCheck.hpp>
#include <ferry/tests/fuzz/PolymorphicTypes.hpp>
#include <ferry/tests/support/FileBytes.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

namespace ferry::test {

namespace {

namespace format = fileFormat;

using Texts = std::vector<std::string>;
using Table = std::map<int, std::vector<short>>;
using AnyShape = std::unique_ptr<Shape>;

// The first int of a message selects the type that is loaded, and a repair of the file before: none, checksums that fit,
// or checksums and final numbers that fit. The bytes of the file follow.
enum class What : std::uint32_t { TextList, NumberTable, ShapePointer, LabelObject, JobJournal = 16 };
constexpr std::uint32_t WhatBits = 3 | 16, FitsChecksums = 4, FitsEnd = 8;

detail::JournalSettings journalSettings(const std::filesystem::path& path) {
    detail::JournalSettings settings;
    settings.path = path;
    settings.program = "ferryFuzz";
    return settings;
}

void fitStart(Ints& ints) {
    std::memcpy(ints.data(), format::Magic.data(), sizeof(format::Magic));
    ints[5] = format::checkOf(std::span(ints).subspan(3, 2), format::DescriptionSeed);
}

void setChecksum(Ints& ints, std::size_t place, std::span<const std::int32_t> of, std::uint64_t seed) {
    const std::uint64_t checksum = detail::checksumOf(of, seed);
    ints[place] = format::lowHalf(checksum);
    ints[place + 1] = format::highHalf(checksum);
}

/// Makes all checksums fit, as far as the lengths in the file are valid.
void fitChecksums(Ints& ints, bool fitsEnd) {
    constexpr std::size_t Start = 8;
    if (ints.size() < Start) return;
    fitStart(ints);
    const auto descriptionInts = static_cast<std::size_t>(static_cast<std::uint32_t>(ints[4]));
    if (descriptionInts > ints.size() - Start) return;
    setChecksum(ints, 6, std::span(ints).subspan(Start, descriptionInts), format::DescriptionSeed);
    std::size_t place = Start + descriptionInts;
    std::uint64_t total = 0;
    for (std::size_t chunk = 0; ints.size() - place >= format::HeadInts; ++chunk) {
        const std::span<std::int32_t> rest = std::span(ints).subspan(place);
        const std::uint64_t seed = format::seedOf(ints[3], chunk, place * sizeof(std::int32_t));
        const bool isEnd = rest[0] == 0;
        const auto count = isEnd ? format::ClosingInts : static_cast<std::size_t>(static_cast<std::uint32_t>(rest[0]));
        rest[1] = format::checkOf(rest.first(1), seed);
        if (count > rest.size() - format::HeadInts) return;
        if (isEnd && fitsEnd) {
            const std::array numbers{format::lowHalf(chunk), format::highHalf(chunk), format::lowHalf(total), format::highHalf(total)};
            std::copy(numbers.begin(), numbers.end(), rest.begin() + format::HeadInts);
        }
        setChecksum(ints, place + 2, rest.subspan(format::HeadInts, count), seed);
        if (isEnd) return;
        place += format::HeadInts + count;
        total += count;
    }
}

/// A file in memory with its own path.
class MemoryFile {
public:
    MemoryFile() : file_(::memfd_create("ferryFuzz", MFD_CLOEXEC)) {
        if (!file_.isOpen()) failCheck("checkpoint", "no file in memory");
        path_ = fmt::format("/proc/self/fd/{}", file_.number());
    }
    const std::filesystem::path& path() const noexcept { return path_; }
    void write(std::span<const std::int32_t> ints) {
        const auto bytes = static_cast<ssize_t>(ints.size_bytes());
        if (::ftruncate(file_.number(), bytes) != 0 || ::pwrite(file_.number(), ints.data(), ints.size_bytes(), 0) != bytes)
            failCheck("checkpoint", "the file in memory cannot be written");
    }

private:
    detail::FileDescriptor file_;
    std::filesystem::path path_;
};

IntBuffer messageOf(const std::filesystem::path& file, What what, std::uint32_t fits) {
    const std::string bytes = bytesOf(file);
    IntBuffer message;
    IntWriter out(message);
    out.writeInt(static_cast<std::int32_t>(static_cast<std::uint32_t>(what) | fits));
    out.writeBytes(bytes.data(), bytes.size());
    out.finish();
    return message;
}

/// Returns a small file of two chunks, behind a selector.
template <class T>
IntBuffer fileOf(What what, std::uint32_t fits, const FileDescription& description, const T& value) {
    IntBuffer ints;
    IntWriter(ints) << value;
    const TemporaryFolder folder;
    {
        CheckpointWriter file(folder / "file", description);
        file.put(ints.ints().first(1), false);
        file.put(ints.ints().subspan(1), true);
    }
    return messageOf(folder / "file", what, fits);
}

/// Returns a journal with some records.
IntBuffer journalMessage(std::uint32_t fits) {
    const TemporaryFolder folder;
    {
        detail::Journal journal(journalSettings(folder / "file"));
        for (int task = 0; task < 3; ++task) journal.add(journal.keyOf(5, Ints{task, 7}), 6, Ints(static_cast<std::size_t>(task), 9));
    }
    return messageOf(folder / "file", What::JobJournal, fits);
}

class CheckpointTarget final : public FuzzTarget {
public:
    std::string_view name() const override { return "checkpoint"; }

    std::vector<IntBuffer> seeds() const override {
        const std::vector<std::string> classes{"ferry::test::Circle", "ferry::test::Gone"};
        std::vector<IntBuffer> seeds;
        for (const std::uint32_t fits : {0u, FitsChecksums, FitsChecksums | FitsEnd}) {
            const auto add = [&](What what, FileKind kind, const std::string& type, const auto& value) {
                seeds.push_back(fileOf(what, fits, {kind, type, 0x123456789, classes}, value));
            };
            add(What::TextList, FileKind::Value, detail::typeTextOf<Texts>(), Texts{"one", "", "a longer text"});
            add(What::NumberTable, FileKind::Value, detail::typeTextOf<Table>(), Table{{1, {1, 2, 3}}, {2, {}}});
            auto group = std::make_unique<Group>();
            group->members.push_back(std::make_unique<Circle>());
            group->members.push_back(std::make_unique<RoundLabel>());
            add(What::ShapePointer, FileKind::Object, Group::ferryClassName(), AnyShape(std::move(group)));
            add(What::LabelObject, FileKind::Object, Label::ferryClassName(), AnyShape(std::make_unique<Label>()));
            seeds.push_back(journalMessage(fits));
        }
        return seeds;
    }

    Outcome run(std::span<const std::int32_t> message) override {
        if (message.empty()) return Outcome::Refused;
        const auto selector = static_cast<std::uint32_t>(message[0]);
        Ints ints(message.begin() + 1, message.end());
        if ((selector & FitsChecksums) != 0) fitChecksums(ints, (selector & FitsEnd) != 0);
        file_.write(ints);
        switch (static_cast<What>(selector & WhatBits)) {
            case What::TextList: return loadAs<Texts>(message.size_bytes());
            case What::NumberTable: return loadAs<Table>(message.size_bytes());
            case What::ShapePointer: return loadAs<AnyShape>(message.size_bytes());
            case What::LabelObject: return loadAs<Label>(message.size_bytes());
            case What::JobJournal: return replay(message.size_bytes());
        }
        return Outcome::Refused;
    }

private:
    template <class T>
    Outcome loadAs(std::size_t messageBytes) {
        T value{};
        {
            const AllocationWatch watch;
            try {
                value = load<T>(file_.path());
            } catch (...) {
                requireRefusal(name());
                requireBounded(allowed_, watch, messageBytes);
                return Outcome::Refused;
            }
            requireBounded(allowed_, watch, messageBytes);
        }
        const Ints first = writtenInts(value);
        T again{};
        IntReader in(first);
        in >> again;
        in.expectEnd();
        if (writtenInts(again) != first) failCheck(name(), "what was loaded is written differently the second time");
        return Outcome::ReadWhole;
    }

    /// Replays a journal that may be damaged or incomplete.
    Outcome replay(std::size_t messageBytes) {
        const FileDescription own = FileDescription::of(FileKind::Journal, journalSettings({}).title());
        const AllocationWatch watch;
        Outcome outcome = Outcome::ReadWhole;
        try {
            const detail::JournalContents contents = detail::replayJournal(file_.path(), own);
            if (contents.wholeBytes + contents.tornBytes > messageBytes) failCheck(name(), "a journal is longer than its file");
        } catch (...) {
            requireRefusal(name());
            outcome = Outcome::Refused;
        }
        requireBounded(allowed_, watch, messageBytes);
        return outcome;
    }

    MemoryFile file_;
    MemoryUse allowed_{"checkpoint", 16, 40, 64 * 1024};
};

}    // namespace

std::unique_ptr<FuzzTarget> makeCheckpointTarget() { return std::make_unique<CheckpointTarget>(); }

}    // namespace ferry::test

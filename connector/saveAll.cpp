#include <ferry/connector/saveAll.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/checkpoint/FileParts.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/file/FileError.hpp>

namespace ferry::detail {

namespace {

/// Asks a rank for its entry.
struct EntryTurn {
    bool isWanted = true;
    FERRY_FIELDS(isWanted)
};
/// The ints of one entry on their way between a rank and rank 0, with its type.
struct EntryLetter {
    std::string type;
    std::int32_t kind = 0;
    std::vector<std::int32_t> ints;
    FERRY_FIELDS(type, kind, ints)
};

std::vector<std::int32_t> copyOf(const IntBuffer& buffer) {
    std::vector<std::int32_t> ints;
    for (const IntBuffer::Segment& segment : buffer.segments()) {
        const std::size_t begin = ints.size();
        ints.resize(begin + segment.intCount);
        std::memcpy(ints.data() + begin, segment.bytes, segment.intCount * sizeof(std::int32_t));
    }
    return ints;
}

/// The first entry of the block of a rank.
std::uint64_t beginOf(std::uint64_t entryCount, int rank, int rankCount) {
    const auto ranks = static_cast<std::uint64_t>(rankCount);
    const auto number = static_cast<std::uint64_t>(rank);
    return entryCount / ranks * number + std::min(entryCount % ranks, number);
}

}    // namespace

void requireOnePath(Connector& connector, const char* call, const PathName& path) {
    const std::filesystem::path own = path.text();
    const std::filesystem::path first = connector.broadcast(own);
    if (own == first) return connector.barrier();    // no rank begins before all have compared
    throw UsageError(fmt::format("{}: expected the same path on all ranks, found '{}' on rank 0 and '{}' on rank {}", call,
                                 printable(first.native()), printable(path.text()), connector.rank()));
}

// The first entry of the file is the number of the others. The ranks send their entries when rank 0 asks for them, one after the other, so
// that rank 0 holds one of them at a time.
void saveEntries(Connector& connector, const PathName& path, const SeriesHead& head, const IntBuffer& ints) {
    if (connector.rank() != 0) {
        static_cast<void>(connector.receive<EntryTurn>(0));
        connector.send(0, EntryLetter{head.type, static_cast<std::int32_t>(head.kind), copyOf(ints)});
        connector.barrier();    // the file is on the disk
        return;
    }
    SeriesWriter file(path);
    file.put(static_cast<std::uint64_t>(connector.size()));
    file.putPacked(head, ints);
    for (int rank = 1; rank < connector.size(); ++rank) {
        connector.send(rank, EntryTurn());
        const auto entry = connector.receive<EntryLetter>(rank);
        IntBuffer buffer;
        buffer.append(entry.ints);
        file.putPacked({static_cast<FileKind>(entry.kind), entry.type}, buffer);
    }
    file.finish();
    connector.barrier();
}

void loadEntries(Connector& connector, const PathName& path, const SeriesHead& head,
                 const std::function<void(const std::vector<std::int32_t>&)>& take) {
    std::unique_ptr<SeriesReader> file;
    std::uint64_t count = 0;
    if (connector.rank() == 0) {
        file = std::make_unique<SeriesReader>(path, connector.factory());
        count = file->get<std::uint64_t>();
    }
    count = connector.broadcast(count);
    const auto mineBegin = beginOf(count, connector.rank(), connector.size());
    const auto mineEnd = beginOf(count, connector.rank() + 1, connector.size());
    if (connector.rank() != 0) {
        for (std::uint64_t entry = mineBegin; entry < mineEnd; ++entry) {
            connector.send(0, EntryTurn());
            take(connector.receive<EntryLetter>(0).ints);
        }
        return;
    }
    int owner = 0;
    for (std::uint64_t entry = 0; entry < count; ++entry) {
        while (entry >= beginOf(count, owner + 1, connector.size())) ++owner;
        file->require(head.kind, head.type);
        const std::vector<std::int32_t> ints = copyOf(file->takeInts());
        if (owner == 0) {
            take(ints);
        } else {
            static_cast<void>(connector.receive<EntryTurn>(owner));
            connector.send(owner, EntryLetter{head.type, static_cast<std::int32_t>(head.kind), ints});
        }
    }
    if (file->hasNext())
        throw FileError(FileProblem::Damaged, path, fmt::format("expected {} entries, found more", count), FileError::NoChunk);
}

}    // namespace ferry::detail

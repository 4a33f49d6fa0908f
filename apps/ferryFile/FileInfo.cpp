#include <ferry/apps/ferryFile/FileInfo.hpp>

#include <ostream>

#include <fmt/format.h>

#include <ferry/serialization/checkpoint/CheckpointReader.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>
#include <ferry/serialization/file/FileError.hpp>

namespace ferryfile {

using ferry::detail::printable;    // the text comes from a file and goes to a terminal

FileInfo inspect(const std::filesystem::path& path) {
    ferry::CheckpointReader file(path);
    FileInfo info;
    info.description = file.description();
    info.fileBytes = file.fileBytes();
    info.isByteSwapped = file.isByteSwapped();
    info.version = file.version();
    constexpr std::size_t markInts = 2;    // a mark of a journal is no record: docs/wire-format.md
    const bool hasEnd = info.description.kind != ferry::FileKind::Journal;
    for (bool isAtEnd = false; !isAtEnd && (hasEnd || file.position() != file.fileBytes());) {
        try {
            const auto ints = file.next();
            isAtEnd = ints.empty();
            if (!hasEnd && info.version >= 2 && ints.size() == markInts) ++info.markCount;
        } catch (const ferry::FileError& error) {
            info.problems.emplace_back(error.what());
            isAtEnd = !file.canGoOn();
        }
    }
    info.chunkCount = file.chunkCount() - info.markCount;
    info.intCount = file.intCount();
    return info;
}

void print(std::ostream& out, const FileInfo& info, bool showsClasses) {
    out << fmt::format("holds        {}\n", printable(info.description.text()));
    out << fmt::format("format       {}, {}-endian\n", info.version, info.isByteSwapped ? "big" : "little");
    out << fmt::format("size         {} bytes: {} ints in {} {}\n", info.fileBytes, info.intCount, info.chunkCount,
                       info.chunkCount == 1 ? "chunk" : "chunks");
    out << fmt::format("classes      {}, fingerprint {:016x}\n", info.description.classes.size(), info.description.fingerprint);
    if (showsClasses) {
        for (const std::string& name : info.description.classes) out << fmt::format("             {}\n", printable(name));
    }
    out << fmt::format("checksums    {}\n", info.problems.empty() ? "all fit" : "NOT all fit");
    for (const std::string& problem : info.problems) out << fmt::format("             {}\n", printable(problem));
}

}    // namespace ferryfile

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <unordered_map>

#include <ferry/framework/journal/JournalKey.hpp>
#include <ferry/serialization/checkpoint/FileDescription.hpp>
#include <ferry/serialization/checkpoint/FileFormat.hpp>

namespace ferry::detail {

/// The place of the record of a finished task.
struct JournalPlace {
    std::uint64_t offset = 0;    ///< offset of the head of the record's first chunk, in bytes
    std::uint64_t chunk = 0;     ///< index of that chunk
    std::uint64_t replyInts = 0;
};

/// The index of a journal: the places of the results, not the results.
struct JournalContents {
    std::unordered_map<JournalKey, JournalPlace, JournalKeyHash> places;
    std::int32_t version = fileFormat::JournalVersion;    ///< of the file's format
    std::uint64_t wholeBytes = 0;      ///< bytes up to the end of the last whole record; 0: the beginning of the file is not whole
    std::uint64_t chunkCount = 0;      ///< number of chunks in wholeBytes
    std::uint64_t tornBytes = 0;       ///< bytes after wholeBytes: records that were not on the disk when their writer died
    std::uint64_t flushedBytes = 0;    ///< bytes that were on the disk, as the records say
    bool isMarked = false;             ///< flushedBytes is all but the mark at the end
};

/// Reads a journal of this description from front to back, up to the first record that is damaged or not whole. Unless a later chunk claims
/// bytes of this record, the record counts as torn, and all behind it too. In a journal of version 1, which has no claims, only a last
/// record counts as torn. If a task has several records, the first one counts. Memory: one chunk and the index. Errors: JournalError:
/// NotJournal, NewerFormat, OtherJob, Damaged; FileError (CannotRead).
JournalContents replayJournal(const std::filesystem::path& path, const FileDescription& own);

}    // namespace ferry::detail

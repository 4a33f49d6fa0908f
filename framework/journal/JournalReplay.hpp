#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <unordered_map>

#include <ferry/framework/journal/JournalKey.hpp>
#include <ferry/serialization/checkpoint/FileDescription.hpp>

namespace ferry {

/// Where the record of a finished task is.
struct JournalPlace {
    std::uint64_t offset = 0;    ///< in bytes, of the head of its first chunk
    std::uint64_t chunk = 0;     ///< the number of that
    std::uint64_t replyInts = 0;
};

/// What a journal holds: where the results are, not the results.
struct JournalContents {
    std::unordered_map<JournalKey, JournalPlace, JournalKeyHash> places;
    std::uint64_t wholeBytes = 0;    ///< up to the end of the last whole record; 0: the beginning of the file is not whole
    std::uint64_t chunkCount = 0;    ///< up to there
    std::uint64_t tornBytes = 0;     ///< what follows: a record that was being written when its writer was killed
};

/// Reads a journal of this description from front to back. The end may lack any number of bytes, and the last record may be damaged:
/// it counts as torn. Of several records of one task the first counts. Takes as much memory as one chunk, and the index.
/// Errors: JournalError: NotJournal, NewerFormat, OtherJob, Damaged; FileError (CannotRead).
JournalContents replayJournal(const std::filesystem::path& path, const FileDescription& own);

}    // namespace ferry

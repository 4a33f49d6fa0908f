#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/serialization/checkpoint/SeriesFile.hpp>
#include <ferry/serialization/file/PathName.hpp>

namespace ferry {

namespace detail {

/// Throws UsageError on each rank whose path is not that of rank 0. All ranks call it together.
void requireOnePath(Connector& connector, const char* call, const PathName& path);

/// Writes the entries of all ranks into one file. All ranks call it together.
void saveEntries(Connector& connector, const PathName& path, const SeriesHead& head, const IntBuffer& ints);

/// Reads the entries of such a file and gives each rank its block of them: take(ints) gets the ints of one entry. All ranks call it
/// together.
void loadEntries(Connector& connector, const PathName& path, const SeriesHead& head,
                 const std::function<void(const std::vector<std::int32_t>&)>& take);

}    // namespace detail

/// Saves a value of each rank in one file, in the order of ranks. All ranks call it together. Rank 0 writes the file, and needs memory for
/// the value of one rank beside its own. At any time, even after a crash, the path names the whole old file or the whole new one. When
/// saveAll() returns on any rank, the new file is on the disk.
/// Errors: ExceptionList on every rank, as of a guarded region, with the FileError of rank 0, the exception of a value that cannot
/// travel, or the UsageError of a rank whose path is not that of rank 0.
template <class T>
void saveAll(Connector& connector, const detail::PathName& path, const T& mine) {
    connector.guarded([&] {
        detail::requireOnePath(connector, "saveAll", path);
        IntBuffer ints;
        const detail::SeriesHead head = detail::packForFile(ints, mine);
        detail::saveEntries(connector, path, head, ints);
    });
}

/// Loads a file of saveAll() on any number of ranks. Each rank gets a block of the values: with the number of ranks that saved, its own
/// one. With fewer ranks each gets several, with more ranks some get none. The blocks follow each other in the order of ranks. All ranks
/// call it together. Rank 0 reads the file. Errors: ExceptionList on every rank, with the FileError of rank 0, the SerializationError of
/// a rank, or the UsageError of a rank whose path is not that of rank 0.
template <class T>
std::vector<T> loadAll(Connector& connector, const detail::PathName& path) {
    static_assert(!detail::isObject<T> && !detail::isObjectPointer<T>,
                  "ferry::loadAll: an object of a class hierarchy: save and load a std::vector<std::unique_ptr<Base>> of them");
    return connector.guarded([&] {
        detail::requireOnePath(connector, "loadAll", path);
        std::vector<T> values;
        detail::loadEntries(connector, path, {FileKind::Value, detail::typeTextOf<T>()}, [&](const std::vector<std::int32_t>& ints) {
            T value{};
            IntReader in(ints, connector.factory());
            in >> value;
            in.expectEnd();
            values.push_back(std::move(value));
        });
        return values;
    });
}

}    // namespace ferry

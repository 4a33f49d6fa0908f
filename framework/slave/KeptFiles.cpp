#include <ferry/framework/slave/KeptFiles.hpp>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <cerrno>
#include <iterator>
#include <new>
#include <string>
#include <utility>

#include <ferry/serialization/file/FileError.hpp>
#include <ferry/serialization/file/QuietSignals.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

constexpr std::uint64_t blockBytes = 4096;    // the disk is freed in whole blocks

}    // namespace

void KeptFiles::open() {
    if (file_.isOpen()) return;
    if (folder_.empty()) folder_ = std::filesystem::temp_directory_path();
    file_ = FileDescriptor(platform::openFileWithoutName(folder_.c_str()));
    if (file_.isOpen()) return;
    std::string name = (folder_ / "ferry-kept-XXXXXX").string();    // the file system makes no file without a name
    FileDescriptor named(::mkostemp(name.data(), O_CLOEXEC));       // rights 0600
    if (!named.isOpen()) throw FileError::ofSystem(FileProblem::CannotWrite, folder_, "making a file in the folder", errno);
    if (::unlink(name.c_str()) != 0) throw FileError::ofSystem(FileProblem::CannotWrite, name, "removing the name", errno);
    file_ = std::move(named);
}

/// The begin of a part of the file for a result: a gap that is large enough, or the end of the file.
KeptFiles::Bytes KeptFiles::takeGap(Bytes size) noexcept {
    int looksLeft = 64;    // the file grows when the first gaps are all too small
    for (auto gap = gaps_.begin(); gap != gaps_.end() && looksLeft > 0; ++gap, --looksLeft) {
        if (gap->second < size) continue;
        const Bytes begin = gap->first;
        if (gap->second == size) {
            gaps_.erase(gap);
        } else {
            auto node = gaps_.extract(gap);    // allocates nothing
            node.key() = begin + size;
            node.mapped() -= size;
            gaps_.insert(std::move(node));
        }
        return begin;
    }
    return std::exchange(end_, end_ + size);
}

/// Gives a part of the file back to the disk. A file system that cannot do so keeps it for later results.
void KeptFiles::addGap(Bytes begin, Bytes size) noexcept {
    const auto next = gaps_.lower_bound(begin);
    if (next != gaps_.begin() && std::prev(next)->first + std::prev(next)->second == begin) {
        begin = std::prev(next)->first;
        size += std::prev(next)->second;
        gaps_.erase(std::prev(next));
    }
    if (next != gaps_.end() && begin + size == next->first) {
        size += next->second;
        gaps_.erase(next);
    }
    if (begin + size == end_) {
        end_ = begin;
        static_cast<void>(!::ftruncate(file_.number(), static_cast<off_t>(end_)));
        return;
    }
    platform::giveBack(file_.number(), static_cast<off_t>(begin), static_cast<off_t>(size));
    try {
        gaps_.emplace(begin, size);
    } catch (const std::bad_alloc&) {
        // The part stays unused until the file is empty.
    }
}

void KeptFiles::write(std::int32_t number, const IntBuffer& ints) {
    open();
    Place place{0, (ints.size() * sizeof(std::int32_t) + blockBytes - 1) / blockBytes * blockBytes, ints.size()};
    place.begin = takeGap(place.size);
    try {
        writeAt(place.begin, ints);
        places_.emplace(number, place);
    } catch (...) {
        addGap(place.begin, place.size);
        throw;
    }
}

void KeptFiles::writeAt(Bytes begin, const IntBuffer& ints) const {
    QuietSignals quiet;
    for (const IntBuffer::Segment& segment : ints.segments()) {
        const std::byte* next = segment.bytes;
        for (std::size_t left = segment.intCount * sizeof(std::int32_t); left > 0;) {
            const ssize_t written = ::pwrite(file_.number(), next, left, static_cast<off_t>(begin));
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) {
                const int error = written < 0 ? errno : ENOSPC;
                quiet.noteError(error);
                throw FileError::ofSystem(FileProblem::CannotWrite, folder_, "writing a result", error);
            }
            next += written;
            left -= static_cast<std::size_t>(written);
            begin += static_cast<Bytes>(written);
        }
    }
}

std::shared_ptr<const IntBuffer> KeptFiles::read(std::int32_t number) const {
    const Place& place = places_.at(number);
    auto ints = std::make_shared<IntBuffer>();
    ints->resizeUninitialized(place.intCount);
    auto* next = reinterpret_cast<std::byte*>(ints->data());
    Bytes from = place.begin;
    for (std::size_t left = place.intCount * sizeof(std::int32_t); left > 0;) {
        const ssize_t count = ::pread(file_.number(), next, left, static_cast<off_t>(from));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw FileError::ofSystem(FileProblem::CannotRead, folder_, "reading a result", errno);
        if (count == 0)
            throw FileError(FileProblem::Truncated, folder_, "expected a result, found the end of the file", FileError::NoChunk);
        next += count;
        left -= static_cast<std::size_t>(count);
        from += static_cast<Bytes>(count);
    }
    return ints;
}

void KeptFiles::remove(std::int32_t number) noexcept {
    const auto found = places_.find(number);
    if (found == places_.end()) return;
    const Place place = found->second;
    places_.erase(found);
    addGap(place.begin, place.size);
    if (!places_.empty()) return;
    gaps_.clear();
    end_ = 0;
    static_cast<void>(!::ftruncate(file_.number(), 0));
}

}    // namespace ferry::detail

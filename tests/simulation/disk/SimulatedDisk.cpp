#include <ferry/tests/simulation/disk/SimulatedDisk.hpp>

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace ferry::test {

namespace {

constexpr std::size_t sectorBytes = 512;

std::filesystem::path pathOf(int file) {
    std::error_code ignored;
    return std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", file), ignored);
}

}    // namespace

SimulatedDisk::Bytes SimulatedDisk::contentOf(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> read{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    Bytes content(read.size());
    std::transform(read.begin(), read.end(), content.begin(), [](char each) { return static_cast<std::byte>(each); });
    return content;
}

void SimulatedDisk::replace(const std::filesystem::path& path, const Bytes& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
}

/// The machine dies: this call and all later ones fail, so that nothing more reaches the disk.
int SimulatedDisk::fail() {
    isDead_ = true;
    errno = EIO;
    return -1;
}

/// Counts a call that changes something. After the death of the machine every call fails.
SimulatedDisk::Step SimulatedDisk::step() {
    if (isDead_) {
        errno = EIO;
        return Step::Fail;
    }
    ++callCount_;
    if (callCount_ >= faults_.fullAt && callCount_ < faults_.fullAt + faults_.fullCalls) {
        errno = ENOSPC;
        return Step::Fail;
    }
    return Step::Go;
}

SimulatedDisk::File& SimulatedDisk::at(int file) {
    struct stat status {};
    ::fstat(file, &status);
    const auto [found, isNew] = files_.try_emplace({status.st_dev, status.st_ino});
    if (isNew) {
        found->second.path = pathOf(file);
        found->second.durable = contentOf(found->second.path);
    }
    return found->second;
}

void SimulatedDisk::note(int file, off_t offset, std::span<const std::byte> bytes) {
    at(file).changes.push_back({offset, Bytes(bytes.begin(), bytes.end()), std::nullopt});
}

ssize_t SimulatedDisk::writeAt(int file, std::span<const std::byte> bytes, off_t offset) {
    if (step() == Step::Fail) return -1;
    at(file);    // before the write, which changes the content
    const bool dies = callCount_ == faults_.crashAt;
    if (faults_.writesShort && !dies) {
        if (random_.oneIn(4)) {
            errno = EINTR;
            return -1;
        }
        if (bytes.size() > 1 && random_.oneIn(2)) bytes = bytes.first(1 + random_.below(bytes.size() - 1));
    }
    if (dies) bytes = bytes.first(random_.below(bytes.size() + 1));
    const ssize_t count = ::pwrite(file, bytes.data(), bytes.size(), offset);
    if (count > 0) note(file, offset, bytes.first(static_cast<std::size_t>(count)));
    return dies ? fail() : count;
}

ssize_t SimulatedDisk::write(int file, const iovec* pieces, int count) {
    Bytes bytes;
    for (int i = 0; i < count; ++i) {
        const auto* const first = static_cast<const std::byte*>(pieces[i].iov_base);
        bytes.insert(bytes.end(), first, first + pieces[i].iov_len);
    }
    const off_t offset = ::lseek(file, 0, SEEK_CUR);
    const ssize_t written = writeAt(file, bytes, offset);
    if (written > 0) ::lseek(file, offset + written, SEEK_SET);
    return written;
}

int SimulatedDisk::cut(int file, off_t length) {
    if (step() == Step::Fail) return -1;
    at(file).changes.push_back({0, {}, length});
    const int result = ::ftruncate(file, length);
    return callCount_ == faults_.crashAt ? fail() : result;
}

int SimulatedDisk::flushFile(int file) {
    if (step() == Step::Fail) return -1;
    if (callCount_ == faults_.crashAt) return fail();
    struct stat status {};
    ::fstat(file, &status);
    if (S_ISDIR(status.st_mode)) {
        if (!faults_.losesFlushes) renames_.clear();
        return 0;
    }
    File& own = at(file);
    if (callCount_ == faults_.failsFlushAt) {    // the system gives up what it could not write, and counts it as written
        own.changes.clear();
        errno = EIO;
        return -1;
    }
    if (faults_.losesFlushes) return 0;
    for (const Change& change : own.changes) {
        if (change.length) {
            own.durable.resize(static_cast<std::size_t>(*change.length));
            continue;
        }
        const auto end = static_cast<std::size_t>(change.offset) + change.bytes.size();
        if (own.durable.size() < end) own.durable.resize(end);
        std::copy(change.bytes.begin(), change.bytes.end(), own.durable.begin() + change.offset);
    }
    own.changes.clear();
    return 0;
}

int SimulatedDisk::flush(int file) { return flushFile(file); }

int SimulatedDisk::flushData(int file) { return flushFile(file); }

int SimulatedDisk::rename(int folder, const char* from, const char* to) {
    if (step() == Step::Fail) return -1;
    const std::filesystem::path place = pathOf(folder);
    Rename made{place / from, place / to, std::nullopt};
    if (std::filesystem::exists(made.to)) made.old = contentOf(made.to);
    const int result = ::renameat(folder, from, folder, to);
    // A later file may get the number of the replaced one.
    std::erase_if(files_, [&](const auto& entry) { return entry.second.path == made.to; });
    for (auto& [id, file] : files_) {
        if (file.path == made.from) file.path = made.to;
    }
    renames_.push_back(std::move(made));
    return callCount_ == faults_.crashAt ? fail() : result;
}

int SimulatedDisk::link(int folder, const char* from, const char* to) {
    if (step() == Step::Fail) return -1;
    return Disk::link(folder, from, to);
}

int SimulatedDisk::remove(int folder, const char* name) {
    if (isDead_) return -1;
    return Disk::remove(folder, name);
}

/// Puts some sectors of a change into the content.
void SimulatedDisk::putSectors(Bytes& content, const Change& change) {
    if (change.length) {
        if (random_.oneIn(2)) content.resize(static_cast<std::size_t>(*change.length));
        return;
    }
    const bool isWhole = random_.oneIn(3);
    for (std::size_t done = 0; done < change.bytes.size();) {
        const std::size_t place = static_cast<std::size_t>(change.offset) + done;
        const std::size_t count = std::min(sectorBytes - place % sectorBytes, change.bytes.size() - done);
        if (isWhole || random_.oneIn(2)) {
            if (content.size() < place + count) content.resize(place + count);
            std::copy_n(change.bytes.begin() + static_cast<std::ptrdiff_t>(done), count,
                        content.begin() + static_cast<std::ptrdiff_t>(place));
        }
        done += count;
    }
}

void SimulatedDisk::die() {
    isDead_ = true;
    if (faults_.isProcessCrash) return;
    for (auto& [id, file] : files_) {
        Bytes content = file.durable;
        for (const Change& change : file.changes) putSectors(content, change);
        if (std::filesystem::exists(file.path)) replace(file.path, content);
    }
    // Renames reach the disk in their order, and the last ones may be missing.
    while (!renames_.empty() && random_.oneIn(2)) {
        const Rename last = renames_.back();
        renames_.pop_back();
        std::error_code ignored;
        std::filesystem::rename(last.to, last.from, ignored);
        if (last.old) replace(last.to, *last.old);
    }
}

}    // namespace ferry::test

#include <ferry/tests/simulation/disk/SimulatedDisk.hpp>

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>
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
    std::error_code ignored;
    const std::uintmax_t size = std::filesystem::file_size(path, ignored);
    Bytes content(ignored ? 0 : static_cast<std::size_t>(size));
    in.read(reinterpret_cast<char*>(content.data()), static_cast<std::streamsize>(content.size()));
    return content;
}

void SimulatedDisk::replace(const std::filesystem::path& path, const Bytes& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
}

void SimulatedDisk::begin(const DiskFaults& faults) {
    faults_ = faults;
    callCount_ = 0;
    readCount_ = 0;
    isDead_ = false;
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
    const std::pair id(status.st_dev, status.st_ino);
    const std::filesystem::path path = pathOf(file);
    std::erase_if(files_, [&](const File& each) { return each.id == id && each.path != path; });    // a new file may have an old number
    const auto found = std::find_if(files_.begin(), files_.end(), [&](const File& each) { return each.id == id; });
    return found != files_.end() ? *found : files_.emplace_back(File{id, path, contentOf(path), {}, false});
}

void SimulatedDisk::note(int file, off_t offset, std::span<const std::byte> bytes) {
    at(file).changes.push_back({offset, Bytes(bytes.begin(), bytes.end()), std::nullopt});
}

ssize_t SimulatedDisk::writeAt(int file, std::span<const std::byte> bytes, off_t offset) {
    if (step() == Step::Fail) return -1;
    at(file);    // before the write, which changes the content
    const bool dies = callCount_ == faults_.crashAt;
    if (faults_.movesShort && !dies) {
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

/// Whether a read goes on, perhaps with fewer bytes.
bool SimulatedDisk::mayRead(std::span<std::byte>& bytes) {
    if (isDead_ || ++readCount_ == faults_.failsReadAt) {
        errno = EIO;
        return false;
    }
    if (!faults_.movesShort) return true;
    if (random_.oneIn(8)) {
        errno = EINTR;
        return false;
    }
    if (bytes.size() > 1 && random_.oneIn(3)) bytes = bytes.first(1 + random_.below(bytes.size() - 1));
    return true;
}

ssize_t SimulatedDisk::read(int file, std::span<std::byte> bytes) { return mayRead(bytes) ? Disk::read(file, bytes) : -1; }

ssize_t SimulatedDisk::readAt(int file, std::span<std::byte> bytes, off_t offset) {
    return mayRead(bytes) ? Disk::readAt(file, bytes, offset) : -1;
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
        for (Rename& each : renames_) each.isPromised = true;
        if (!faults_.losesFlushes) renames_.clear();
        return 0;
    }
    File& own = at(file);
    if (callCount_ == faults_.failsFlushAt) {    // the system gives up what it could not write, and counts it as written
        std::erase_if(own.changes, [](const Change& change) { return !change.length; });
        errno = EIO;
        return -1;
    }
    promised_[own.path] = contentOf(own.path);
    if (faults_.losesFlushes) {
        own.hasLostCut = std::any_of(own.changes.begin(), own.changes.end(), [](const Change& each) { return each.length.has_value(); });
        return 0;
    }
    own.hasLostCut = false;
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
    Rename made{place / from, place / to, std::nullopt, std::nullopt, false};
    if (std::filesystem::exists(made.to)) made.old = contentOf(made.to);
    const int result = ::renameat(folder, from, folder, to);
    // A later file may get the number of the replaced one.
    std::erase_if(files_, [&](const File& each) { return each.path == made.to; });
    for (File& file : files_) {
        if (file.path == made.from) file.path = made.to;
    }
    if (const auto old = promised_.find(made.to); old != promised_.end()) made.oldPromised = old->second;
    if (const auto moved = promised_.find(made.from); moved != promised_.end()) {
        promised_[made.to] = moved->second;
        promised_.erase(moved);
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

void SimulatedDisk::end() {
    isDead_ = true;
    if (!faults_.isProcessCrash) dieWithMachine();
}

void SimulatedDisk::flip(Bytes& content, std::size_t promisedBytes) {
    const std::size_t count = std::min(content.size(), promisedBytes);
    if (count != 0) content[random_.below(count)] ^= static_cast<std::byte>(1 << random_.below(8));
}

void SimulatedDisk::dieWithMachine() {
    harms_.clear();
    for (File& file : files_) {
        if (!std::filesystem::exists(file.path)) continue;
        Bytes content = file.durable;
        for (const Change& change : file.changes) putSectors(content, change);
        Bytes& promised = promised_[file.path];
        if (faults_.flipsBit) flip(content, promised.size());
        const auto [lost, at] = std::mismatch(promised.begin(), promised.end(), content.begin(), content.end());
        if (lost != promised.end() || file.hasLostCut) {
            harms_[file.path] = static_cast<std::uint64_t>(lost - promised.begin());
            promised.erase(lost, promised.end());
        }
        replace(file.path, content);
    }
    undoRenames();
    files_.clear();    // the disk has what the files have
}

/// Renames reach the disk in their order, and the last ones may be missing.
void SimulatedDisk::undoRenames() {
    while (!renames_.empty() && random_.oneIn(2)) {
        const Rename last = renames_.back();
        renames_.pop_back();
        std::error_code ignored;
        std::filesystem::rename(last.to, last.from, ignored);
        if (last.old) replace(last.to, *last.old);
        if (last.isPromised) harms_[last.to] = 0;
        promised_.erase(last.to);
        if (last.oldPromised) promised_[last.to] = *last.oldPromised;
    }
    renames_.clear();
}

void SimulatedDisk::cutByHand(const std::filesystem::path& path, std::uint64_t length) {
    Bytes& promised = promised_[path];
    promised.resize(std::min(promised.size(), static_cast<std::size_t>(length)));
    std::erase_if(files_, [&](const File& each) { return each.path == path; });
    if (length == 0) {
        std::filesystem::remove(path);
    } else {
        std::filesystem::resize_file(path, length);
    }
}

std::optional<std::uint64_t> SimulatedDisk::harmOf(const std::filesystem::path& path) const {
    const auto found = harms_.find(path);
    return found == harms_.end() ? std::nullopt : std::optional(found->second);
}

}    // namespace ferry::test

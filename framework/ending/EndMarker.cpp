#include <ferry/framework/ending/EndMarker.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <ferry/serialization/checkpoint/FileDescriptor.hpp>
#include <ferry/serialization/checkpoint/QuietSignals.hpp>

namespace ferry::detail {

namespace {

bool writeNew(const std::string& path, const std::string& text) {
    QuietSignals quiet;
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.isOpen()) return false;
    if (::write(file.number(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) return true;
    quiet.noteError(errno);
    return false;
}

/// Makes a mark file. The ranks of a host make the same file. Ranks on other hosts may not see the folder.
void note(const std::string& path, const char* ending) noexcept {
    if (path.empty()) return;
    try {
        const std::string whole = path + ending;
        if (!writeNew(whole, "") && errno != EEXIST && errno != ENOENT)
            std::fprintf(stderr, "ferry: %s cannot be written: %s\n", whole.c_str(), std::strerror(errno));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ferry: the beginning of the job cannot be marked in %s: %s\n", path.c_str(), error.what());
    }
}

}    // namespace

std::string EndMarker::pathFromEnvironment() {
    const char* path = std::getenv("FERRY_END_MARKER");
    return path != nullptr ? path : "";
}

void EndMarker::noteStarted(const std::string& path) noexcept { note(path, ".started"); }

void EndMarker::noteBegun(const std::string& path) noexcept { note(path, ".begun"); }

void EndMarker::noteMasterLost(const std::string& path) noexcept { note(path, ".lost"); }

void EndMarker::write(const std::string& path, int status, bool isByLoss) noexcept {
    if (path.empty()) return;
    try {
        const std::string unfinished = path + "." + std::to_string(::getpid());
        bool isWritten = writeNew(unfinished, std::to_string(status) + (isByLoss ? " lost\n" : "\n"));
        if (isWritten) isWritten = ::link(unfinished.c_str(), path.c_str()) == 0 || errno == EEXIST;
        if (!isWritten) std::fprintf(stderr, "ferry: the end of the job cannot be marked in %s: %s\n", path.c_str(), std::strerror(errno));
        ::unlink(unfinished.c_str());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ferry: the end of the job cannot be marked in %s: %s\n", path.c_str(), error.what());
    }
}

}    // namespace ferry::detail

#include <ferry/framework/ending/EndMarker.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <ferry/framework/ending/LastWords.hpp>
#include <ferry/serialization/file/FileDescriptor.hpp>
#include <ferry/serialization/file/QuietSignals.hpp>

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

/// Needs no memory, and does not wait for a reader of standard error for ever.
void sayUnwritten(const char* what, const std::string& path, const char* why) noexcept {
    std::array<char, 450> text{};
    std::snprintf(text.data(), text.size(), "%s of the job cannot be marked in %.300s: %.90s", what, path.c_str(), why);
    LastWords::say(-1, text.data());
}

/// Makes a mark file. The ranks of a host make the same file. Ranks on other hosts may not see the folder.
void note(const std::string& path, const char* ending) noexcept {
    if (path.empty()) return;
    try {
        const std::string whole = path + ending;
        if (!writeNew(whole, "") && errno != EEXIST && errno != ENOENT) sayUnwritten("the beginning", whole, std::strerror(errno));
    } catch (const std::exception& error) {
        sayUnwritten("the beginning", path, error.what());
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
        if (!isWritten) sayUnwritten("the end", path, std::strerror(errno));
        ::unlink(unfinished.c_str());
    } catch (const std::exception& error) {
        sayUnwritten("the end", path, error.what());
    }
}

}    // namespace ferry::detail

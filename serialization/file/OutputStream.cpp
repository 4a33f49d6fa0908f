#include <ferry/serialization/file/OutputStream.hpp>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include <ferry/serialization/file/FileError.hpp>
#include <ferry/serialization/file/FilePlace.hpp>
#include <ferry/serialization/file/QuietSignals.hpp>

namespace ferry::detail {

OutputStream::OutputStream(const PathName& path, const FilePlace& place, Patience patience) : path_(path), patience_(patience.forRoom) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds pause{10};
    const Clock::time_point end = Clock::now() + patience.forReader;
    for (;;) {
        file_ = FileDescriptor(::open(place.target.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        if (file_.isOpen()) return;
        if (errno == EINTR) continue;
        if (errno != ENXIO || !place.isPipe) throw FileError::ofSystem(FileProblem::CannotWrite, path_, "opening", errno);
        if (Clock::now() >= end) break;
        std::this_thread::sleep_for(pause);
    }
    throw FileError(
        FileProblem::CannotWrite, path_,
        fmt::format("expected a pipe with a reader, found none within {} ms: start the reader first", patience.forReader.count()),
        FileError::NoChunk);
}

void OutputStream::write(std::string_view text) const {
    const int error = writeTo(file_.number(), text, patience_);
    if (error == 0) return;
    if (error != EAGAIN) throw FileError::ofSystem(FileProblem::CannotWrite, path_, "writing", error);
    throw FileError(FileProblem::CannotWrite, path_,
                    fmt::format("expected a reader that takes the text, found none that took any for {} ms", patience_.count()),
                    FileError::NoChunk);
}

int OutputStream::writeTo(int file, std::string_view text, std::chrono::milliseconds patience) noexcept {
    QuietSignals quiet;
    while (!text.empty()) {
        pollfd room{file, POLLOUT, 0};
        const int count = ::poll(&room, 1, static_cast<int>(patience.count()));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        if (count == 0) return EAGAIN;
        const ssize_t written = ::write(file, text.data(), std::min(text.size(), std::size_t{PIPE_BUF}));    // poll guarantees this room
        if (written >= 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR && errno != EAGAIN) {
            quiet.noteError(errno);
            return errno;
        }
    }
    return 0;
}

}    // namespace ferry::detail

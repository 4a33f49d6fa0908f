#include <ferry/guard/known/LauncherLine.hpp>

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <array>
#include <cstdlib>
#include <string_view>

namespace ferry::pmpi {

namespace {

constexpr std::string_view goodbye = "cmd=finalize\n";
constexpr int timeForAnswerMs = 1000;

/// The number in a variable of the environment; -1: there is none.
int numberIn(const char* variable) noexcept {
    const char* text = std::getenv(variable);
    if (text == nullptr || *text == '\0') return -1;
    char* end = nullptr;
    const long number = std::strtol(text, &end, 10);
    return *end == '\0' && number >= 0 && number < 1'000'000 ? static_cast<int>(number) : -1;
}

}    // namespace

std::optional<LauncherLine::Line> LauncherLine::lineAt(int descriptor) noexcept {
    struct stat found {};
    if (descriptor < 0 || ::fstat(descriptor, &found) != 0 || !S_ISSOCK(found.st_mode)) return std::nullopt;
    return Line{descriptor, found.st_dev, found.st_ino};
}

void LauncherLine::note() noexcept {
    for (const char* variable : {"PMI_VERSION", "MPIR_CVAR_PMI_VERSION"}) {
        const char* version = std::getenv(variable);
        if (version != nullptr && *version != '\0' && std::string_view(version) != "1") return;    // other words
    }
    line_ = lineAt(numberIn("PMI_FD"));
}

void LauncherLine::sayGoodbye() noexcept {
    if (!line_) return;
    const std::optional<Line> now = lineAt(line_->descriptor);
    const bool isTheLine = now && now->device == line_->device && now->file == line_->file;
    line_.reset();
    if (!isTheLine) return;
    if (::send(now->descriptor, goodbye.data(), goodbye.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(goodbye.size())) return;
    // The launcher closes its end after the answer.
    pollfd answer{.fd = now->descriptor, .events = POLLIN, .revents = 0};
    std::array<char, 256> text{};
    if (::poll(&answer, 1, timeForAnswerMs) == 1) static_cast<void>(::recv(now->descriptor, text.data(), text.size(), MSG_DONTWAIT));
}

}    // namespace ferry::pmpi

#include <ferry/framework/watch/WatchedLink.hpp>

#include <signal.h>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <ferry/framework/watch/Sockets.hpp>

namespace ferry::detail {

std::optional<Loss> WatchedLink::read() {
    std::array<std::byte, 256> room{};
    while (state_ == State::Open) {
        const std::optional<std::size_t> count = receiveNow(connection_, room);
        if (!count) {
            state_ = State::Lost;
            if (!exitStatus_) return Loss{rank(), "was killed or has crashed (its connection is closed)"};
            return Loss{rank(), "has ended: exit() was called by a thread that is no rank's", exitStatus_};
        }
        if (*count == 0) return std::nullopt;
        judge_.heard();
        for (const std::byte byte : std::span(room).first(*count)) take(byte);
    }
    return std::nullopt;
}

void WatchedLink::take(std::byte byte) {
    if (std::exchange(isStatusNext_, false)) {
        exitStatus_ = std::to_integer<int>(byte);
    } else if (byte == static_cast<std::byte>(WatchSign::Exit)) {
        isStatusNext_ = true;
    } else if (byte == static_cast<std::byte>(WatchSign::Goodbye)) {
        state_ = State::GoneInOrder;
    }
}

std::optional<std::string> WatchedLink::judge(SilenceJudge::TimePoint now, SilenceJudge::Duration planned) {
    judge_.looked(now, planned);
    if (state_ != State::Open || !judge_.isSuspicious()) return std::nullopt;
    const ProcessState process = isOnThisHost_ ? stateOfProcess(hello_.process) : ProcessState::Unknown;
    if (!judge_.isLost(process)) return std::nullopt;
    state_ = State::Lost;
    giveUp(process);
    if (process == ProcessState::Gone)
        return "was killed or has crashed (its process has ended)";    // the system is still closing its
                                                                       // connections
    const double seconds = std::chrono::duration<double>(judge_.silence()).count();
    return fmt::format("has given no sign of life for {:.2f} s{}", seconds, process == ProcessState::Stopped ? ": it is stopped" : "");
}

void WatchedLink::giveUp() noexcept {
    state_ = State::Lost;
    giveUp(isOnThisHost_ ? stateOfProcess(hello_.process) : ProcessState::Unknown);
}

/// Tells the slave that it is given up, in case it recovers. A stopped process is killed: the launcher would wait for it.
void WatchedLink::giveUp(ProcessState state) noexcept {
    say(WatchSign::GivenUp);
    if (state == ProcessState::Stopped && hello_.process > 1) ::kill(hello_.process, SIGKILL);
}

void WatchedLink::say(WatchSign sign) noexcept {
    const std::array<std::byte, 1> byte{static_cast<std::byte>(sign)};
    static_cast<void>(sendNow(connection_, byte));    // a closed connection is noticed at the next read
}

}    // namespace ferry::detail

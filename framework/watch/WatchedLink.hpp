#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include <ferry/framework/watch/SilenceJudge.hpp>
#include <ferry/framework/watch/WatchHello.hpp>
#include <ferry/framework/watch/WatchSign.hpp>
#include <ferry/serialization/checkpoint/FileDescriptor.hpp>

namespace ferry {

/// The master's end of the connection to one slave.
///
/// Threads: the watcher's.
class WatchedLink {
public:
    enum class State {
        Open,
        GoneInOrder,    ///< it has said goodbye
        Lost,
    };

    WatchedLink(FileDescriptor connection, const WatchHello& hello, bool isOnThisHost, std::chrono::milliseconds silenceLimit)
        : connection_(std::move(connection)),
          hello_(hello),
          isOnThisHost_(isOnThisHost),
          judge_(silenceLimit, std::chrono::steady_clock::now()) {}

    int rank() const noexcept { return hello_.rank; }
    State state() const noexcept { return state_; }
    const FileDescriptor& connection() const noexcept { return connection_; }

    /// Reads what has come; why the slave is lost, if it is.
    std::optional<std::string> read();

    /// When all that has come was read: why the slave is lost, if it is silent for too long. It is ended, if it can be.
    std::optional<std::string> judge(SilenceJudge::TimePoint now, SilenceJudge::Duration planned);

    void say(WatchSign sign) noexcept;

private:
    void giveUp(ProcessState state) noexcept;

    FileDescriptor connection_;
    WatchHello hello_;
    bool isOnThisHost_;
    SilenceJudge judge_;
    State state_ = State::Open;
};

}    // namespace ferry

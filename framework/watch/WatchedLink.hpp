#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include <ferry/connector/transport/Loss.hpp>
#include <ferry/framework/watch/SilenceJudge.hpp>
#include <ferry/framework/watch/WatchHello.hpp>
#include <ferry/framework/watch/WatchSign.hpp>
#include <ferry/serialization/file/FileDescriptor.hpp>

namespace ferry::detail {

/// The master's end of the connection to one slave.
///
/// Threads: the watcher's.
class WatchedLink {
public:
    enum class State {
        Open,
        GoneInOrder,    ///< the slave has said goodbye
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

    /// Reads the arrived signs. Returns the loss if the slave is lost.
    std::optional<Loss> read();

    /// To be called after read() has read all signs. Returns the reason of the loss if the slave is silent for too long. The slave is then
    /// told,
    /// and its process is killed if it is stopped on this host.
    std::optional<std::string> judge(SilenceJudge::TimePoint now, SilenceJudge::Duration planned);

    /// Gives up the slave, whatever signs of life it gives. The slave is told, and its process ends.
    void giveUp() noexcept;

    void say(WatchSign sign) noexcept;

private:
    void take(std::byte byte);
    void giveUp(ProcessState state) noexcept;

    FileDescriptor connection_;
    WatchHello hello_;
    bool isOnThisHost_;
    SilenceJudge judge_;
    State state_ = State::Open;
    bool isStatusNext_ = false;    ///< the next byte belongs to WatchSign::Exit
    std::optional<int> exitStatus_;
};

}    // namespace ferry::detail

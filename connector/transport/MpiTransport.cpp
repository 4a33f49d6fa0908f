#include <ferry/connector/transport/MpiTransport.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/transport/MpiError.hpp>
#include <ferry/connector/transport/MpiHostTeam.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

// The tag of a packet, and of the number of ints of a large one that follows on its own communicator.
constexpr int packetTag = 0;
constexpr int announcementTag = 1;

// Up to this size a packet fits the receive that is always posted, and travels with the message itself in the MPIs at hand.
constexpr int eagerInts = 512;

// A rank that polls without pause looks at the control road this seldom; after a rest it looks at once.
constexpr unsigned controlPeriod = 8;

// MPI wakes nobody: a rank at rest must look by itself at least this often.
constexpr std::chrono::microseconds longestSleep{1000};

struct Send {
    int to = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    IntBuffer ints;
};

struct Receive {
    MPI_Request request = MPI_REQUEST_NULL;
    Packet packet;
    bool isComplete = false;
};

/// Keeps them until the process ends: MPI_Finalize may come after the destructors of static objects.
void keepForMpi(std::vector<Send> sends, std::deque<Receive> receives) {
    static std::mutex mutex;
    static auto* const kept = new std::deque<std::pair<std::vector<Send>, std::deque<Receive>>>();
    const std::lock_guard lock(mutex);
    kept->emplace_back(std::move(sends), std::move(receives));
}

class MpiTransport final : public Transport {
public:
    explicit MpiTransport(MPI_Comm communicator) {
        // Errors are returned, not fatal, from the first call on a communicator of ours.
        checkMpi(MPI_Comm_dup(communicator, &data_), "MPI_Comm_dup");
        checkMpi(MPI_Comm_set_errhandler(data_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        checkMpi(MPI_Comm_dup(data_, &control_), "MPI_Comm_dup");
        checkMpi(MPI_Comm_dup(data_, &large_), "MPI_Comm_dup");
        checkMpi(MPI_Comm_rank(data_, &rank_), "MPI_Comm_rank");
        checkMpi(MPI_Comm_size(data_, &size_), "MPI_Comm_size");
        postArrival();
    }

    ~MpiTransport() override {
        int isFinalized = 0;
        if (MPI_Finalized(&isFinalized) != MPI_SUCCESS || isFinalized != 0) return;
        // Taking a receive back is local. Where that fails, MPI keeps the buffer.
        const bool isTakenBack =
            MPI_Cancel(&arrival_.request) == MPI_SUCCESS && MPI_Wait(&arrival_.request, MPI_STATUS_IGNORE) == MPI_SUCCESS;
        if (!isTakenBack) receives_.push_back(std::move(arrival_));
        const bool isIdle = sends_.empty() && receives_.empty();
        if (hasFinishedTogether_ && isIdle) {
            if (team_) team_->free();
            // Freeing is local here: every rank has said that nothing is under way on these communicators.
            MPI_Comm_free(&large_);
            MPI_Comm_free(&control_);
            MPI_Comm_free(&data_);
        } else if (!isIdle) {
            // MPI may still read from or write to these buffers until MPI_Finalize: they must outlive this object.
            keepForMpi(std::move(sends_), std::move(receives_));
        }
    }

    int rank() const noexcept override { return rank_; }
    int size() const noexcept override { return size_; }

    void startSend(int to, Channel channel, IntBuffer ints) override {
        if (ints.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
            throw UsageError(
                fmt::format("a message of {} ints is too large: MPI counts up to {}", ints.size(), std::numeric_limits<int>::max()));
        if (channel == Channel::Control) return send(to, control_, packetTag, std::move(ints));
        if (ints.size() <= static_cast<std::size_t>(eagerInts)) return send(to, data_, packetTag, std::move(ints));
        IntBuffer announcement = buffers().take();
        announcement.resizeUninitialized(1);
        *announcement.data() = static_cast<std::int32_t>(ints.size());
        send(to, data_, announcementTag, std::move(announcement));
        send(to, large_, packetTag, std::move(ints));
    }

    std::optional<Packet> poll() override {
        if (!sends_.empty()) progressSends();
        if (++pollCount_ % controlPeriod == 0 || isControlDue_) {
            isControlDue_ = false;
            if (auto packet = fetchControl()) return packet;
        }
        if (!receives_.empty()) {
            if (auto packet = takeCompleted()) return packet;
        }
        return fetchData();
    }

    std::size_t pendingSends() const noexcept override { return sends_.size(); }
    /// A large packet leaves when its receiver takes it; small ones are counted as taken when MPI has them.
    std::size_t undelivered(int to) const noexcept override {
        return static_cast<std::size_t>(std::count_if(sends_.begin(), sends_.end(), [to](const Send& send) { return send.to == to; }));
    }

    void idle(std::chrono::microseconds atMost) override {
        isControlDue_ = true;
        std::this_thread::sleep_for(std::min(atMost, longestSleep));
    }

    void wake() noexcept override {}
    void finishTogether() noexcept override { hasFinishedTogether_ = true; }

    HostTeam* hostTeam(std::size_t memoryBytes) override {
        team_ = MpiHostTeam::make(data_, memoryBytes);
        return team_.get();
    }

    [[noreturn]] void abort(int exitStatus) override {
        std::fflush(nullptr);
        MPI_Abort(control_, exitStatus);
        std::_Exit(exitStatus);
    }

private:
    void send(int to, MPI_Comm communicator, int tag, IntBuffer ints) {
        Send send;
        send.to = to;
        send.ints = std::move(ints);
        checkMpi(MPI_Isend(send.ints.data(), static_cast<int>(send.ints.size()), MPI_INT32_T, to, tag, communicator, &send.request),
                 "MPI_Isend");
        if (isFinished(send)) {
            buffers().giveBack(std::move(send.ints));
        } else {
            sends_.push_back(std::move(send));
        }
    }

    static bool isFinished(Send& send) {
        int isComplete = 0;
        checkMpi(MPI_Test(&send.request, &isComplete, MPI_STATUS_IGNORE), "MPI_Test");
        return isComplete != 0;
    }

    /// Looks at a few sends at a time, in turn, so that polling stays cheap when thousands are under way.
    void progressSends() {
        constexpr std::size_t looksPerPoll = 4;
        for (std::size_t look = 0; look < looksPerPoll && !sends_.empty(); ++look) {
            if (nextSend_ >= sends_.size()) nextSend_ = 0;
            Send& send = sends_[nextSend_];
            if (!isFinished(send)) {
                ++nextSend_;
                continue;
            }
            buffers().giveBack(std::move(send.ints));
            if (&send != &sends_.back()) send = std::move(sends_.back());
            sends_.pop_back();
        }
    }

    /// Posts the receive for whatever comes next on the data road: what finds a receive posted is neither probed for nor kept by MPI in
    /// memory of its own.
    void postArrival() {
        arrival_.packet = Packet{-1, Channel::Data, buffers().take()};
        arrival_.packet.ints.resizeUninitialized(static_cast<std::size_t>(eagerInts));
        checkMpi(MPI_Irecv(arrival_.packet.ints.data(), eagerInts, MPI_INT32_T, MPI_ANY_SOURCE, MPI_ANY_TAG, data_, &arrival_.request),
                 "MPI_Irecv");
    }

    std::optional<Packet> fetchData() {
        int hasArrived = 0;
        MPI_Status status;
        checkMpi(MPI_Test(&arrival_.request, &hasArrived, &status), "MPI_Test");
        if (hasArrived == 0) return std::nullopt;
        int intCount = 0;
        checkMpi(MPI_Get_count(&status, MPI_INT32_T, &intCount), "MPI_Get_count");
        Receive receive;
        receive.packet = std::move(arrival_.packet);
        receive.packet.from = status.MPI_SOURCE;
        receive.packet.ints.resizeUninitialized(static_cast<std::size_t>(intCount));
        postArrival();
        if (status.MPI_TAG == announcementTag) {
            startReceive(receive, large_, *receive.packet.ints.data());
        } else {
            receive.isComplete = true;
            if (receives_.empty()) return std::move(receive.packet);
        }
        receives_.push_back(std::move(receive));
        return takeCompleted();
    }

    std::optional<Packet> fetchControl() {
        // One thread receives on this communicator, so that the message that was probed is the one that is received.
        int hasArrived = 0;
        MPI_Status status;
        checkMpi(MPI_Iprobe(MPI_ANY_SOURCE, packetTag, control_, &hasArrived, &status), "MPI_Iprobe");
        if (hasArrived == 0) return std::nullopt;
        int intCount = 0;
        checkMpi(MPI_Get_count(&status, MPI_INT32_T, &intCount), "MPI_Get_count");
        Receive receive;
        receive.packet = Packet{status.MPI_SOURCE, Channel::Control, buffers().take()};
        startReceive(receive, control_, intCount);
        receives_.push_back(std::move(receive));
        return takeCompleted();
    }

    /// Receives in the background, so that a sender that computes in between holds nobody up; the packet keeps its place in the order of
    /// its sender.
    static void startReceive(Receive& receive, MPI_Comm communicator, int intCount) {
        receive.packet.ints.resizeUninitialized(static_cast<std::size_t>(intCount));
        checkMpi(
            MPI_Irecv(receive.packet.ints.data(), intCount, MPI_INT32_T, receive.packet.from, packetTag, communicator, &receive.request),
            "MPI_Irecv");
    }

    /// The first packet that has been received whole and waits for no earlier one of the same sender and channel.
    std::optional<Packet> takeCompleted() {
        for (auto receive = receives_.begin(); receive != receives_.end(); ++receive) {
            if (!receive->isComplete) {
                int isComplete = 0;
                checkMpi(MPI_Test(&receive->request, &isComplete, MPI_STATUS_IGNORE), "MPI_Test");
                receive->isComplete = isComplete != 0;
            }
            if (!receive->isComplete || isReceivingFrom(receive->packet.from, receive->packet.channel, receive)) continue;
            std::optional<Packet> packet(std::move(receive->packet));
            receives_.erase(receive);
            return packet;
        }
        return std::nullopt;
    }

    /// Whether a packet of this sender and channel stands before the given place in the queue.
    bool isReceivingFrom(int from, Channel channel, std::deque<Receive>::const_iterator before) const {
        return std::any_of(receives_.begin(), before,
                           [&](const Receive& other) { return other.packet.from == from && other.packet.channel == channel; });
    }

    MPI_Comm data_ = MPI_COMM_NULL;
    MPI_Comm control_ = MPI_COMM_NULL;
    MPI_Comm large_ = MPI_COMM_NULL;    // the ints of large packets of the data road
    int rank_ = 0;
    int size_ = 1;
    unsigned pollCount_ = 0;
    bool isControlDue_ = true;
    bool hasFinishedTogether_ = false;
    std::vector<Send> sends_;
    std::size_t nextSend_ = 0;
    Receive arrival_;    // always posted
    std::deque<Receive> receives_;
    std::unique_ptr<MpiHostTeam> team_;
};

}    // namespace

std::unique_ptr<Transport> mpiTransport(MPI_Comm communicator) {
    int isInitialized = 0;
    int isFinalized = 0;
    checkMpi(MPI_Initialized(&isInitialized), "MPI_Initialized");
    checkMpi(MPI_Finalized(&isFinalized), "MPI_Finalized");
    if (isInitialized == 0 || isFinalized != 0)
        throw UsageError("mpiTransport needs MPI between MPI_Init and MPI_Finalize; a ferry::Application initialises it by itself");
    return std::make_unique<MpiTransport>(communicator);
}

}    // namespace ferry

#include <ferry/connector/transport/mpi/MpiTransport.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/transport/Announcement.hpp>
#include <ferry/connector/transport/Backoff.hpp>
#include <ferry/connector/transport/mpi/MpiBases.hpp>
#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>
#include <ferry/connector/transport/mpi/MpiFailures.hpp>
#include <ferry/connector/transport/mpi/MpiHost.hpp>
#include <ferry/connector/transport/mpi/MpiHostTeam.hpp>
#include <ferry/connector/transport/mpi/MpiKept.hpp>
#include <ferry/connector/transport/mpi/MpiOffer.hpp>
#include <ferry/connector/transport/mpi/MpiOfferedArrays.hpp>
#include <ferry/connector/transport/mpi/MpiReceives.hpp>
#include <ferry/connector/transport/mpi/MpiRegionFlag.hpp>
#include <ferry/connector/transport/mpi/MpiRingsIn.hpp>
#include <ferry/connector/transport/mpi/MpiRingsOut.hpp>
#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

namespace ferry {

namespace {

// Up to this size a packet fits the receive that is always posted. The MPI libraries at hand send such a packet at once, in one message.
constexpr std::size_t eagerInts = 512;

// From this size on, two copies of an array cost more than the question whether the receiver takes the array as it is.
constexpr std::size_t offeredBytes = 32 * 1024;

// From this size on, blocks go sooner by a datatype than by two copies (docs/benchmarks.md, views). MPICH is slower at small blocks.
#if defined(OPEN_MPI)
constexpr std::size_t offeredBlockBytes = 256;
#else
constexpr std::size_t offeredBlockBytes = 16 * 1024;
#endif
constexpr detail::LendingSizes offeredSizes{offeredBytes, offeredBlockBytes};

// A rank that polls without pause looks at the control road once in this number of polls. After a rest it looks at once.
constexpr unsigned controlPeriod = 8;

// A rank whose packets all come by rings looks at MPI once in this number of polls, and at the control road too.
constexpr unsigned mpiPeriod = 32;

// A look at MPI takes as long as many looks at a ring. A rank that waits looks at its rings this often for each look at MPI. It looks more
// often when its last packet came by a ring: the next one then comes by a ring, too, and not during a look at MPI.
constexpr unsigned ringLooksAfterMpi = 24;
constexpr unsigned ringLooksAfterRing = 256;

// Limit of looks without memory for a rank that has asked for arrays and waits for the answer: about ten seconds.
constexpr int mostLooksWithoutMemory = 10'000;

// MPI wakes no rank. A rank at rest must look by itself at least this often.
constexpr std::chrono::microseconds longestSleep{1000};

bool isHostMemoryWanted() {
    const char* const wanted = std::getenv("FERRY_HOST_MEMORY");
    return wanted == nullptr || std::string_view(wanted) != "off";
}

class MpiTransport final : public detail::Transport {
public:
    MpiTransport(MPI_Comm communicator, detail::LossSource* losses) : communicator_(communicator), losses_(losses) {
        // MPI returns errors instead of ending the job, from the first call on one of our communicators.
        detail::checkMpi(MPI_Comm_dup(communicator, &roads_.data), "MPI_Comm_dup");
        detail::checkMpi(MPI_Comm_set_errhandler(roads_.data, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler", roads_.data);
        detail::checkMpi(MPI_Comm_dup(roads_.data, &roads_.control), "MPI_Comm_dup", roads_.data);
        detail::checkMpi(MPI_Comm_dup(roads_.data, &roads_.large), "MPI_Comm_dup", roads_.data);
        detail::checkMpi(MPI_Comm_rank(roads_.data, &rank_), "MPI_Comm_rank", roads_.data);
        detail::checkMpi(MPI_Comm_size(roads_.data, &size_), "MPI_Comm_size", roads_.data);
        // The names appear in the texts of errors.
        detail::checkMpi(MPI_Comm_set_name(roads_.data, "ferry data"), "MPI_Comm_set_name", roads_.data);
        detail::checkMpi(MPI_Comm_set_name(roads_.control, "ferry control"), "MPI_Comm_set_name", roads_.control);
        detail::checkMpi(MPI_Comm_set_name(roads_.large, "ferry large"), "MPI_Comm_set_name", roads_.large);
        if (size_ == 1) return;
        const detail::MpiHost host = detail::MpiHost::find(roads_.data);
        setCrowded(host.isCrowded);
        if (isHostMemoryWanted()) ringsOut_.prepare(rank_, size_, host);
    }

    ~MpiTransport() override {
        int isFinalized = 0;
        if (MPI_Finalized(&isFinalized) != MPI_SUCCESS || isFinalized != 0) return;
        if (losses_ != nullptr) {    // the process ends without MPI_Finalize
            detail::keepForMpi(std::move(arriving_));
            return;
        }
        // Cancelling a receive is local. Where that fails, MPI keeps the buffer.
        const bool isTakenBack =
            arrival_ == MPI_REQUEST_NULL || (MPI_Cancel(&arrival_) == MPI_SUCCESS && MPI_Wait(&arrival_, MPI_STATUS_IGNORE) == MPI_SUCCESS);
        if (!isTakenBack) detail::keepForMpi(std::move(arriving_));
        const bool isIdle = sends_.size() == 0 && receives_.isEmpty();
        if (hasFinishedTogether_ && isTakenBack && isIdle) {
            if (team_) team_->free();
            // Freeing is local here: every rank has said that nothing is under way on these communicators.
            MPI_Comm_free(&roads_.large);
            MPI_Comm_free(&roads_.control);
            MPI_Comm_free(&roads_.data);
        }
    }

    int rank() const noexcept override { return rank_; }
    int size() const noexcept override { return size_; }
    MPI_Comm communicator() const noexcept { return communicator_; }
    detail::MpiBases& bases() const noexcept { return *bases_; }

    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        detail::MpiRegionFlag::requireOutside();
        if (channel == detail::Channel::Control) {
            requireCountable(ints);
            return sends_.start(to, roads_.control, detail::PacketTag, std::move(ints));
        }
        if (ringsOut_.put(to, ints)) return buffers().giveBack(std::move(ints));
        if (ints.size() <= eagerInts) {
            sends_.makeRoom(1);
            ringsOut_.mark(to);
            return sends_.start(to, roads_.data, detail::PacketTag, std::move(ints));
        }
        detail::Announcement announcement;
        announcement.packetInts = ints.size();
        announcement.transfer = nextTransfer();
        IntBuffer announced = buffers().take();
        static_cast<void>(announcement.write(announced, eagerInts));
        const bool isInPieces = ints.size() > detail::mpiPieceInts;
        sends_.makeRoom(1 + detail::mpiPieceCount(ints.size()));    // an announced packet must follow, so its entries are allocated here
        if (isInPieces) sends_.start(to, roads_.large, announcement.transfer, std::move(ints));
        ringsOut_.mark(to);
        sends_.start(to, roads_.data, detail::AnnouncementTag, std::move(announced));
        if (!isInPieces) sends_.start(to, roads_.large, announcement.transfer, std::move(ints));
    }

    detail::LendingSizes offersFrom() const noexcept override { return losses_ == nullptr ? offeredSizes : detail::LendingSizes(); }

    void startOffer(int to, IntBuffer ints) override {
        if (to == rank_ || offer_.isOpen() || ints.loans().size() > detail::Announcement::maxArrays)
            return detail::Transport::startOffer(to, std::move(ints));
        offer_.open(to, nextTransfer(), std::move(ints), eagerInts);
    }
    bool isOffering() const noexcept override { return offer_.isOpen(); }
    void closeOffer() override { offer_.close(); }

    detail::LendingSizes holdsFrom() const noexcept override { return {offeredBytes, detail::LendingSizes::never}; }

    void startHeld(int to, IntBuffer ints, std::shared_ptr<const void> holder) override {
        if (to == rank_ || offer_.isOpen() || ints.loans().size() > detail::Announcement::maxArrays)
            return detail::Transport::startHeld(to, std::move(ints), std::move(holder));
        detail::MpiRegionFlag::requireOutside();
        offer_.sendHeld(to, nextTransfer(), std::move(ints), eagerInts, holder);
    }

    void decline(detail::Packet& packet) override {    // needs no memory
        const detail::MpiReceives::Place place = receives_.findHandedOut();
        place->packet = std::move(packet);
        place->packet.offered.reset();
        receives_.startArrays(*place);
        if (!place->isCopied) detail::sendMpiNote(sends_, place->packet.from, roads_.data, detail::DeclineTag, place->transfer);
    }

    std::optional<detail::Packet> poll() override {
        detail::MpiRegionFlag::requireOutside();
        if (ringsIn_.isAnyOpen()) return pollWithRings();
        return pollMpi();
    }

    std::size_t pendingSends() const noexcept override { return sends_.size() + (offer_.isOpen() ? 1 : 0); }
    /// A large packet leaves when its receiver takes it. Small packets count as taken when MPI has them.
    std::size_t undelivered(int to) const noexcept override { return sends_.countTo(to) + (offer_.receiver() == to ? 1 : 0); }

    void idle(std::chrono::microseconds atMost) override {
        isControlDue_ = true;
        std::this_thread::sleep_for(std::min(atMost, longestSleep));
    }

    void wake() noexcept override {}
    void finishTogether() noexcept override { hasFinishedTogether_ = true; }

    detail::HostTeam* hostTeam(std::size_t memoryBytes) override {
        team_ = detail::MpiHostTeam::make(roads_.data, memoryBytes, {isCrowded(), losses_ != nullptr});
        return team_.get();
    }

    bool survivesLosses() const noexcept override { return losses_ != nullptr; }
    std::optional<detail::Loss> nextLoss() override { return losses_ != nullptr ? losses_->nextLoss() : std::nullopt; }
    void forget(int rank) override {
        sends_.forget(rank);
        receives_.forget(rank);
        ringsOut_.forget(rank);
        ringsIn_.forget(rank);
    }

    [[noreturn]] void abort(int exitStatus) override {
        std::fflush(nullptr);
        if (losses_ == nullptr) MPI_Abort(roads_.control, exitStatus);
        std::_Exit(exitStatus);
    }
    [[noreturn]] void die(int exitStatus) override {
        if (losses_ == nullptr) abort(exitStatus);
        std::fflush(nullptr);
        detail::MpiEnvironment::endAlone(exitStatus);
    }

private:
    void noteWait() noexcept override { isWaiting_ = !isCrowded(); }

    static void requireCountable(const IntBuffer& ints) {
        constexpr std::size_t mostInts = std::numeric_limits<int>::max() / sizeof(std::int32_t);
        if (ints.size() > mostInts)
            throw UsageError(
                fmt::format("a message of {} ints is too large for the control channel, which takes {}", ints.size(), mostInts));
    }

    std::optional<detail::Packet> pollMpi() {
        sends_.progress();
        const bool isControlTurn = ++pollCount_ % controlPeriod == 0 || isControlDue_;
        if (isControlTurn) fetchControl();
        if (receives_.isEmpty()) {
            std::optional<detail::Packet> packet = fetchData();
            if (packet || receives_.isEmpty()) return packet;
        } else {
            receives_.makeRoom();
            if (std::optional<detail::Packet> packet = fetchData()) receives_.add(std::move(*packet));
        }
        return takeReady();
    }

    /// Looks at the rings first. Packets by rings must not keep the rank from MPI.
    std::optional<detail::Packet> pollWithRings() {
        std::optional<detail::Packet> packet;
        const bool isMpiTurn = ++ringPollCount_ % mpiPeriod == 0;
        const unsigned looks = std::exchange(isWaiting_, false) ? ringLooks_ : 1;
        if (!isMpiTurn && ringsIn_.hasNext(looks)) takeFromRing(packet);
        if (packet) return packet;
        if (isMpiTurn) isControlDue_ = true;
        packet = pollMpi();
        if (packet) ringLooks_ = ringLooksAfterMpi;
        if (!packet) takeFromRing(packet);
        return packet;
    }

    void takeFromRing(std::optional<detail::Packet>& packet) {
        try {
            ringsIn_.take(isUnhandled_ ? arrivedFrom_ : -1, packet);
        } catch (...) {
            packet.reset();
            throw;
        }
        if (packet) ringLooks_ = ringLooksAfterRing;
    }

    std::int32_t nextTransfer() noexcept { return transferCount_++ % detail::mpiTransferNumbers; }

    /// Posts the receive for the next message on the data road. A message that finds a posted receive need not be probed for. MPI does not
    /// keep such a message in memory of its own.
    void postArrival() {
        if (arriving_.capacity() == 0) arriving_ = buffers().take();
        arriving_.resizeUninitialized(eagerInts);
        detail::checkMpi(
            MPI_Irecv(arriving_.data(), eagerInts * sizeof(std::int32_t), MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, roads_.data, &arrival_),
            "MPI_Irecv", roads_.data);
    }

    /// Returns the next small packet of the data road. Handles the messages that belong to large packets.
    std::optional<detail::Packet> fetchData() {
        if (isUnhandled_) [[unlikely]] {
            handleArrived();
            return std::nullopt;
        }
        if (arrival_ == MPI_REQUEST_NULL) postArrival();    // not earlier, so that an answer to the last packet goes out first
        int hasArrived = 0;
        MPI_Status status;
        const int result = MPI_Test(&arrival_, &hasArrived, &status);
        if (detail::isOfLostRank(result)) {
            detail::acknowledgeLosses(roads_.data);
            if (hasArrived == 0) return std::nullopt;
            // A packet has come since the failure was reported. Open MPI 5 keeps the request, and would report the same failure again and
            // again.
            detail::checkMpi(MPI_Request_free(&arrival_), "MPI_Request_free", roads_.data);
            if (!detail::isOfAnyLostRank(result)) return std::nullopt;    // the packet's own sender has failed
        } else {
            detail::checkMpi(result, "MPI_Test", roads_.data);
        }
        if (hasArrived == 0) return std::nullopt;
        int byteCount = 0;
        detail::checkMpi(MPI_Get_count(&status, MPI_BYTE, &byteCount), "MPI_Get_count");
        arriving_.resizeWithin(static_cast<std::size_t>(byteCount) / sizeof(std::int32_t));
        if (status.MPI_TAG == detail::PacketTag && !ringsIn_.isOpen(status.MPI_SOURCE)) [[likely]]
            return detail::Packet{status.MPI_SOURCE, detail::Channel::Data, std::move(arriving_), nullptr};
        arrivedFrom_ = status.MPI_SOURCE;
        arrivedTag_ = status.MPI_TAG;
        handleArrived();
        return std::nullopt;
    }

    /// Handles what has come and is no lone packet. Without memory it stays for the next look: the sender may wait for the answer.
    void handleArrived() {
        isUnhandled_ = false;
        try {
            handleArrived(arrivedFrom_, arrivedTag_);
            isMarkTaken_ = false;
        } catch (const std::bad_alloc&) {
            isUnhandled_ = true;
            throw;
        }
    }

    void handleArrived(int from, int tag) {
        const IntBuffer& ints = arriving_;
        const bool isOfPacket = tag == detail::PacketTag || tag == detail::AnnouncementTag;
        if (isOfPacket && !isMarkTaken_ && ringsIn_.isOpen(from)) {
            ringsIn_.takeUpToMark(from);
            isMarkTaken_ = true;    // also when the rest fails without memory, and is tried again
        }
        if (tag == detail::PacketTag) {
            receives_.makeRoom();
            return receives_.add({from, detail::Channel::Data, std::move(arriving_), nullptr});
        }
        if (tag == detail::RingOfferTag) return ringsIn_.accept(from, ints.ints(), isHostMemoryWanted());
        if (tag == detail::AnnouncementTag) return receives_.startAnnounced(from, detail::Announcement::read(ints.ints()));
        const std::int32_t transfer = IntReader(ints.ints()).readInt();
        switch (tag) {
            case detail::PullTag: return offer_.serve(from, transfer);
            case detail::DeclineTag: return offer_.decline(from, transfer);
            case detail::AcceptTag: isAccepted_ = true; return;    // only one offer is asked for at a time
            case detail::CopiedTag: return receives_.noteCopied(from, transfer);
            case detail::RingTag: return ringsIn_.open(from);
            default:
                throw SerializationError(
                    fmt::format("expected a tag from {} to {}, found {}", int{detail::PacketTag}, int{detail::RingTag}, tag));
        }
    }

    void fetchControl() {
        isControlDue_ = false;
        // Only one thread receives on this communicator. So the message that was probed is the message that is received.
        int hasArrived = 0;
        MPI_Status status;
        const int result = MPI_Iprobe(MPI_ANY_SOURCE, detail::PacketTag, roads_.control, &hasArrived, &status);
        if (detail::isOfLostRank(result)) return detail::acknowledgeLosses(roads_.control);
        detail::checkMpi(result, "MPI_Iprobe", roads_.control);
        if (hasArrived == 0) return;
        int byteCount = 0;
        detail::checkMpi(MPI_Get_count(&status, MPI_BYTE, &byteCount), "MPI_Get_count");
        receives_.startControl(status.MPI_SOURCE, byteCount / static_cast<int>(sizeof(std::int32_t)), buffers().take());
    }

    /// Returns the next packet among the receives that took more than one look.
    std::optional<detail::Packet> takeReady() {
        const detail::MpiReceives::Place place = receives_.findReady();
        if (place == receives_.end()) return std::nullopt;
        if (place->state == detail::MpiReceives::State::Whole) return receives_.take(place);
        auto offered = std::make_unique<detail::MpiOfferedArrays>(roads_, place->packet.from, place->transfer, place->announcement.arrays,
                                                                  place->packet.ints.data(), [this, place] { return ask(place); });
        place->state = detail::MpiReceives::State::HandedOut;
        detail::Packet packet = std::move(place->packet);
        packet.offered = std::move(offered);
        return packet;
    }

    /// Asks the sender of a packet that was handed out for its arrays. Returns whether the sender stays until they are fetched. If so, the
    /// packet's receive is removed here.
    bool ask(detail::MpiReceives::Place place) {
        isAccepted_ = false;
        if (!place->isCopied) detail::sendMpiNote(sends_, place->packet.from, roads_.data, detail::PullTag, place->transfer);
        detail::Backoff backoff;
        int looksWithoutMemory = 0;
        while (!isAccepted_ && !place->isCopied) {
            if (!takeInBeside(looksWithoutMemory)) backoff.pause(*this);
        }
        if (isAccepted_) receives_.erase(place);
        return isAccepted_;
    }

    /// Takes in a packet while another rank is asked. Returns whether one has come. The sender that was asked stays until it has answered,
    /// so a short lack of memory is tolerated.
    bool takeInBeside(int& looksWithoutMemory) {
        try {
            sends_.progress();
            receives_.makeRoom();
            std::optional<detail::Packet> packet = fetchData();
            if (!packet) return false;
            receives_.add(std::move(*packet));
            return true;
        } catch (const std::bad_alloc&) {
            if (++looksWithoutMemory == mostLooksWithoutMemory) throw;
            return false;
        }
    }

    const MPI_Comm communicator_;    // the user's
    detail::LossSource* losses_;     // null: the job survives no loss
    detail::MpiRoads roads_;
    int rank_ = 0;
    int size_ = 1;
    unsigned pollCount_ = 0;
    bool isControlDue_ = true;
    bool hasFinishedTogether_ = false;
    bool isAccepted_ = false;    // the sender that was asked has accepted
    std::int32_t transferCount_ = 0;
    detail::MpiSends sends_{buffers()};
    detail::MpiRingsOut ringsOut_{roads_, sends_};
    detail::MpiOffer offer_{roads_, sends_, ringsOut_};
    detail::MpiReceives receives_{roads_};
    detail::MpiRingsIn ringsIn_{receives_, buffers()};
    unsigned ringPollCount_ = 0;
    unsigned ringLooks_ = ringLooksAfterMpi;
    bool isWaiting_ = false;                    // the next poll is one of a wait
    MPI_Request arrival_ = MPI_REQUEST_NULL;    // the receive of the next message on the data road
    IntBuffer arriving_;
    bool isUnhandled_ = false;    // a part of a large packet has come, and there was no memory to handle it
    bool isMarkTaken_ = false;    // for the packet that is not handled
    int arrivedFrom_ = -1;
    int arrivedTag_ = detail::PacketTag;
    std::unique_ptr<detail::MpiHostTeam> team_;
    const std::unique_ptr<detail::MpiBases> bases_ = std::make_unique<detail::MpiBases>(communicator_, losses_ != nullptr);
};

const char* nameOfLevel(int level) noexcept {
    switch (level) {
        case MPI_THREAD_SINGLE: return "MPI_THREAD_SINGLE";
        case MPI_THREAD_FUNNELED: return "MPI_THREAD_FUNNELED";
        case MPI_THREAD_SERIALIZED: return "MPI_THREAD_SERIALIZED";
        default: return "MPI_THREAD_MULTIPLE";
    }
}

/// The thread that initialised MPI may use it at any level. Another thread needs at least MPI_THREAD_SERIALIZED.
void requireThreadLevel() {
    int level = MPI_THREAD_SINGLE;
    int isMain = 0;
    detail::checkMpi(MPI_Query_thread(&level), "MPI_Query_thread");
    detail::checkMpi(MPI_Is_thread_main(&isMain), "MPI_Is_thread_main");
    if (isMain == 0 && level < MPI_THREAD_SERIALIZED)
        throw UsageError(
            fmt::format("mpiTransport was called on another thread than the one that initialised MPI: that needs "
                        "MPI_THREAD_SERIALIZED or more, and MPI was initialised with {}",
                        nameOfLevel(level)));
}

/// Notes the rank in the first communicator as the rank of the process.
void noteRankOfProcess(MPI_Comm communicator) {
    int rank = -1;
    if (detail::rankOfProcess() >= 0 || communicator == MPI_COMM_NULL) return;
    detail::checkMpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank", communicator);
    detail::setRankOfProcess(rank);
}

}    // namespace

std::unique_ptr<detail::Transport> mpiTransport(MPI_Comm communicator, detail::LossSource* losses) {
    int isInitialized = 0;
    int isFinalized = 0;
    detail::checkMpi(MPI_Initialized(&isInitialized), "MPI_Initialized");
    detail::checkMpi(MPI_Finalized(&isFinalized), "MPI_Finalized");
    if (isInitialized == 0 || isFinalized != 0)
        throw UsageError("mpiTransport needs MPI between MPI_Init and MPI_Finalize; a ferry::Application initialises it by itself");
    requireThreadLevel();
    noteRankOfProcess(communicator);
    if (communicator == MPI_COMM_NULL) throw UsageError("mpiTransport needs a communicator, not MPI_COMM_NULL");
    int isBetweenGroups = 0;
    detail::checkMpi(MPI_Comm_test_inter(communicator, &isBetweenGroups), "MPI_Comm_test_inter", communicator);
    if (isBetweenGroups != 0)
        throw UsageError("mpiTransport needs a communicator of one group, not an intercommunicator: MPI_Intercomm_merge makes one of it");
    return std::make_unique<MpiTransport>(communicator, losses);
}

namespace detail {

MPI_Comm communicatorOf(const Transport& transport) noexcept {
    const auto* const overMpi = dynamic_cast<const MpiTransport*>(&transport.inner());
    return overMpi != nullptr ? overMpi->communicator() : MPI_COMM_NULL;
}

MpiBases* basesOf(const Transport& transport) noexcept {
    const auto* const overMpi = dynamic_cast<const MpiTransport*>(&transport.inner());
    return overMpi != nullptr ? &overMpi->bases() : nullptr;
}

}    // namespace detail

}    // namespace ferry

#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/benchmarks/scale/PassingTransport.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/ferry.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/parcel/Parcel.hpp>
#include <ferry/framework/parcel/TaskNotice.hpp>

namespace benchScale {

/// The ranks of a job of which only the master and the sub-masters are ranks of a simulation.
class Places {
public:
    Places(int rankCount, std::vector<int> subMasters) : rankCount_(rankCount), simulated_(std::move(subMasters)) {
        simulated_.insert(simulated_.begin(), 0);
    }
    int rankCount() const noexcept { return rankCount_; }
    int simulatedCount() const noexcept { return static_cast<int>(simulated_.size()); }
    int rankOf(int simulated) const { return simulated_.at(static_cast<std::size_t>(simulated)); }
    /// Errors: std::runtime_error for a slave.
    int simulatedOf(int rank) const {
        const auto place = std::lower_bound(simulated_.begin(), simulated_.end(), rank);
        if (place == simulated_.end() || *place != rank) throw std::runtime_error(fmt::format("rank {} is not simulated", rank));
        return static_cast<int>(place - simulated_.begin());
    }

private:
    int rankCount_;
    std::vector<int> simulated_;    ///< by rank of the simulation: the rank in the job
};

/// Stands between a master or sub-master and its transport, and is the slaves of its group. So slaves are no threads. They read and write
/// the letters of jobs. A slave takes the same time for each task, and gives tasks back as a handler does that polls. It does not batch
/// replies. Slaves send nothing but replies to tasks, each a ferry::Done. Letters take a microsecond to ten.
///
/// A letter to a slave is worked off when it is sent, for the time at which it arrives: later letters arrive after it.
/// Ownership: `places` must outlive the transport. Errors: std::runtime_error for a letter that such a slave does not know.
class SlaveMachines final : public PassingTransport {
public:
    /// slaveCount: number of slaves of the group, whose ranks follow that of the sub-master.
    SlaveMachines(std::unique_ptr<ferry::detail::Transport> inner, const Places& places, int slaveCount, std::chrono::microseconds taskTime,
                  std::uint64_t seed)
        : PassingTransport(std::move(inner)),
          places_(places),
          rank_(places.rankOf(PassingTransport::rank())),
          taskTime_(taskTime),
          random_(seed),
          slaves_(static_cast<std::size_t>(slaveCount)) {}

    int rank() const noexcept override { return rank_; }
    int size() const noexcept override { return places_.rankCount(); }

    void startSend(int to, ferry::detail::Channel channel, ferry::IntBuffer ints) override {
        const int slave = to - rank_ - 1;
        if (slave < 0 || slave >= static_cast<int>(slaves_.size()))
            return PassingTransport::startSend(places_.simulatedOf(to), channel, std::move(ints));
        take(slaves_[static_cast<std::size_t>(slave)], slave, ints.ints());
        buffers().giveBack(std::move(ints));
    }
    std::optional<ferry::detail::Packet> poll() override {
        if (!replies_.empty() && replies_.top().at <= now()) return nextReply();
        std::optional<ferry::detail::Packet> packet = PassingTransport::poll();
        if (packet) packet->from = places_.rankOf(packet->from);
        return packet;
    }
    std::size_t undelivered(int) const noexcept override { return 0; }
    void idle(std::chrono::microseconds atMost) override {
        if (replies_.empty()) return PassingTransport::idle(atMost);
        const auto left = std::chrono::ceil<std::chrono::microseconds>(replies_.top().at - now());
        if (left.count() > 0) PassingTransport::idle(std::min(atMost, left));
    }

private:
    struct Task {
        std::int32_t number = 0;
        std::vector<std::int32_t> parcel;
    };
    struct Machine {
        std::deque<Task> waiting;
        Clock::time_point freeAt{};        ///< end of the last task that has begun
        Clock::time_point lastComing{};    ///< arrival of the last letter to the slave
        Clock::time_point lastGoing{};     ///< arrival of the last letter of the slave
    };
    struct Reply {
        Clock::time_point at;
        std::uint64_t order;
        int slave;
        std::vector<std::int32_t> ints;
    };
    struct IsLater {
        bool operator()(const Reply& one, const Reply& other) const noexcept {
            return std::pair(one.at, one.order) > std::pair(other.at, other.order);
        }
    };

    Clock::time_point arrivalAfter(Clock::time_point sent, Clock::time_point& last) {
        last = std::max(last, sent + std::chrono::microseconds(1 + random_.below(10)));
        return last;
    }

    /// Begins the tasks that the slave begins until this time.
    void advance(Machine& slave, int number, Clock::time_point until) {
        while (!slave.waiting.empty() && slave.freeAt <= until) {
            const Task task = std::move(slave.waiting.front());
            slave.waiting.pop_front();
            slave.freeAt += taskTime_;
            const auto taken = static_cast<std::int32_t>(std::chrono::nanoseconds(taskTime_).count());
            const ferry::Done done;
            send(slave, number, slave.freeAt, ferry::detail::JobKind::Response, [&](ferry::IntWriter& out) {
                ferry::detail::writeParcel(out, {done.classId(), task.number, taken});
            });
        }
    }

    void take(Machine& slave, int number, std::span<const std::int32_t> letter) {
        const Clock::time_point time = arrivalAfter(now(), slave.lastComing);
        advance(slave, number, time);
        const std::span<const std::int32_t> body = letter.subspan(ferry::detail::Envelope::sizeInts);
        const auto kind = static_cast<ferry::detail::MessageKind>(letter[0]);
        const bool isGiveBack =
            kind == ferry::detail::JobKind::TaskNotice && letter[1] == static_cast<int>(ferry::detail::TaskNotice::GiveBack);
        if (isGiveBack) return giveBack(slave, number, body, time);
        if (kind != ferry::detail::JobKind::Request)
            throw std::runtime_error(fmt::format("a slave got a letter of kind {}, {}", letter[0], letter[1]));
        if (slave.waiting.empty()) slave.freeAt = std::max(slave.freeAt, time);
        for (std::size_t at = 0; at < body.size();) {
            ferry::IntReader in(body.subspan(at + 3));
            const std::size_t size = ferry::detail::parcelHeadInts + static_cast<std::size_t>(in.readInt64());
            const std::span<const std::int32_t> parcel = body.subspan(at, size);
            slave.waiting.push_back({parcel[1], {parcel.begin(), parcel.end()}});
            at += size;
        }
        advance(slave, number, time);
    }

    void giveBack(Machine& slave, int number, std::span<const std::int32_t> body, Clock::time_point time) {
        std::vector<std::int32_t> wanted;
        ferry::IntReader in(body);
        in >> wanted;
        std::vector<std::int32_t> given;
        std::erase_if(slave.waiting, [&](const Task& task) {
            if (std::find(wanted.begin(), wanted.end(), task.number) == wanted.end()) return false;
            given.insert(given.end(), task.parcel.begin(), task.parcel.end());
            return true;
        });
        send(slave, number, time, ferry::detail::JobKind::Request, [&](ferry::IntWriter& out) { out.writeInts(given); });
    }

    template <class Write>
    void send(Machine& slave, int number, Clock::time_point time, ferry::detail::MessageKind kind, const Write& write) {
        ferry::IntBuffer ints;
        ferry::IntWriter out(ints);
        out.writeInt(static_cast<std::int32_t>(kind));
        for (std::size_t i = 1; i < ferry::detail::Envelope::sizeInts; ++i) out.writeInt(0);
        write(out);
        out.finish();
        replies_.push({arrivalAfter(time, slave.lastGoing), ++sent_, number, {ints.ints().begin(), ints.ints().end()}});
    }

    ferry::detail::Packet nextReply() {
        const Reply& reply = replies_.top();
        ferry::detail::Packet packet;
        packet.from = rank_ + 1 + reply.slave;
        ferry::IntWriter out(packet.ints);
        out.writeInts(reply.ints);
        out.finish();
        const int number = reply.slave;
        const Clock::time_point time = reply.at;
        replies_.pop();
        advance(slaves_[static_cast<std::size_t>(number)], number, time);
        return packet;
    }

    const Places& places_;
    const int rank_;
    const std::chrono::microseconds taskTime_;
    ferry::SeededRandom random_;
    std::vector<Machine> slaves_;
    std::priority_queue<Reply, std::vector<Reply>, IsLater> replies_;    ///< letters to the sub-master
    std::uint64_t sent_ = 0;
};

}    // namespace benchScale

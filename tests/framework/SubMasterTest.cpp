#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/slave/SubMaster.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/parcel/TaskNotice.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

using namespace ferry;

namespace submastertest {

/// A master, a sub-master with two slaves, and a slave of the master itself. All ranks are on this thread.
class Ranks {
public:
    Ranks() {
        for (std::unique_ptr<detail::Transport>& transport : detail::threadTransports(5)) {
            connectors_.push_back(std::make_unique<Connector>(std::move(transport), ObjectFactory::global(), RegistryComparison::Skip));
        }
    }

    detail::Mailbox& mailbox(int rank) { return detail::mailboxOf(*connectors_[static_cast<std::size_t>(rank)]); }
    void post(
        int from, detail::MessageKind kind, int key, const std::function<void(IntWriter&)>& write = [](IntWriter&) {}) {
        mailbox(from).post(1, detail::Channel::Data, detail::Envelope{kind, key, 0}, write);
    }
    void postTask(int from, int number) {
        mailbox(from).postInts(1, detail::Channel::Data,
                               detail::packParcel(mailbox(from), detail::JobKind::Request, {7, number, 1}, [](IntWriter&) {}));
    }

    /// Runs the sub-master on the posted letters. Returns the text of its error.
    std::string complaint() {
        try {
            detail::SubMaster(*connectors_[1], detail::SlaveGroups(4, 2)).run();
        } catch (const SerializationError& error) {
            return error.what();
        }
    }

private:
    std::vector<std::unique_ptr<Connector>> connectors_;
};

}    // namespace submastertest

using namespace submastertest;

TEST_CASE("SubMaster: letters of wrong senders are refused, and the error names the sender") {
    Ranks stranger;
    stranger.postTask(4, 1);
    CHECK(stranger.complaint() == "rank 4 is neither the master nor of this group");
    Ranks answering;
    answering.post(0, detail::JobKind::Response, 0);
    CHECK(answering.complaint() == "the master answers no tasks");
    Ranks noticing;
    noticing.post(2, detail::JobKind::TaskNotice, 1);
    CHECK(noticing.complaint() == "expected tasks from the master alone, found some from rank 2");
    Ranks giving;
    giving.post(3, detail::JobKind::Request, 0);
    CHECK(giving.complaint() == "rank 3 gives back tasks, and was not asked to");
    Ranks leaving;
    leaving.post(0, detail::JobKind::TaskNotice, static_cast<int>(detail::TaskNotice::Leave),
                 [](IntWriter& out) { out << std::vector<std::int32_t>(); });
    CHECK(leaving.complaint() == "expected a notice of kind 1, 2, 6, 7 or 9, found 3");
}

TEST_CASE("SubMaster: tasks and replies that cannot be are refused") {
    Ranks twice;
    twice.postTask(0, 5);
    twice.postTask(0, 5);
    CHECK(twice.complaint() == "task 5 is here already");
    Ranks foreign;
    foreign.mailbox(2).postInts(1, detail::Channel::Data,
                                detail::packParcel(foreign.mailbox(2), detail::JobKind::Response, {0, 9, 1}, [](IntWriter&) {}));
    CHECK(foreign.complaint() == "rank 2 answers task 9, which it does not have");
    Ranks damaged;
    damaged.post(0, detail::JobKind::Request, 0, [](IntWriter& out) {
        out.writeInt(7);
        out.writeInt(1);
    });
    CHECK_FALSE(damaged.complaint().empty());
}

#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/transport/Loss.hpp>
#include <ferry/framework/master/Call.hpp>
#include <ferry/framework/parcel/TeamRoster.hpp>

namespace ferry::detail {

class OpenCalls;
class Stragglers;

/// The calls of one task that several slaves do together, one for each slave. The first call gets the reply.
struct TeamCalls {
    enum class State {
        Waiting,      ///< the schedule does not know the calls yet
        Gathering,    ///< slaves get the calls, and wait for each other
        Recalled,     ///< a result that the calls read was lost meanwhile: the slaves are to give the calls back, for a further gathering
        Working,      ///< each slave has the roster
        Ended,        ///< given up before all slaves had begun
    };

    State state = State::Waiting;
    int size = 0;
    bool isRepeatable = true;                      ///< TaskOptions::isRepeatable
    bool awaitsResults = false;                    ///< Actions::admits() was false
    int openRecallCount = 0;                       ///< number of notices of recalls that no slave has answered
    std::vector<std::shared_ptr<Call>> calls{};    ///< in the order in which the team counts its slaves; emptied when all are done
    TeamRoster roster{};                           ///< set when the team works
    std::exception_ptr reason{};                   ///< set: why the team was given up
    std::exception_ptr loss{};                     ///< set: the first loss of a slave while the team worked
};

/// Whether the handler of the call has begun, as far as the master knows. The handlers of a team begin together.
bool isAtWork(const Call& call);

/// The teams of a job. One team at a time gathers its slaves, so that two teams never wait for each other's slaves. The calls stand in the
/// schedule's queue among the other tasks, so that neither waits for ever.
///
/// Ownership: shares the calls of teams that are not done. Threads: the master's. Errors: those of the mailbox.
class Teams {
public:
    struct Actions {
        std::function<bool(Call&)> admits;              ///< whether there are enough slaves, and the results that the call reads
        std::function<bool(const Call&)> hasResults;    ///< whether the results that the call reads are there
        std::function<void(Call&)> enqueue;             ///< gives the call to the schedule
        std::function<void(Call&)> takeOut;             ///< takes a waiting call out of the schedule
        std::function<void(Call&, const std::exception_ptr&)> stop;     ///< ends the call, or tells its slave to end it
        std::function<void(Call&, const std::exception_ptr&)> raise;    ///< throws in the handler of the call
    };

    /// The mailbox and the stragglers must outlive the object. stragglers: null: a slave may take any time to leave its team.
    Teams(Mailbox& mailbox, Stragglers* stragglers, Actions actions)
        : mailbox_(mailbox),
          stragglers_(stragglers),
          actions_(std::move(actions)) {}
    Teams(const Teams&) = delete;
    Teams& operator=(const Teams&) = delete;
    /// Lets go of the calls of teams that are not done. Each call shares its team, and its team shares the call.
    ~Teams();

    /// Opens the calls of a team, and adds the team. Changes nothing when it throws.
    void open(const std::shared_ptr<TeamCalls>& team, OpenCalls& calls);
    /// Lets the next team gather its slaves, if no team does so. A team steps aside while results are being made again that it reads: a
    /// team behind it may have to make them.
    void gatherNext();
    /// Notes that the team may gather again that has stepped aside.
    void resume(TeamCalls& team);
    /// Notes that a call of a team has come home unbegun, and is held: its slave has not found all results that the call reads, or gives
    /// the call back after a recall. While results are missing, the whole team comes home, since the slaves that have begun wait for this
    /// call, and one of them may be needed to make a result again. The team gathers anew when all of its calls are home.
    void noteHeld(Call& call);
    /// Notes that a call of a team is in the schedule's queue again, after a loss or because its slave has given it back.
    void noteGivenBack(Call& call);
    /// Whether the slave gives the call back with this reply, after a recall.
    static bool isGivenBack(const Call& call, const Parcel& reply, const ObjectFactory& factory);

    /// Notes that a slave has begun one of a team's calls. The last one of them lets the team work.
    void noteBegun(const Call& call);
    /// Notes that a call of a team has ended. Before the team works, that ends the team.
    void noteEnded(const Call& call, const std::exception_ptr& failure);
    /// Notes that the slave of a call is lost while its team works. The other slaves get the reason in their handlers, and have to leave
    /// the team. Returns the first loss of the team, which is the cause of the others.
    std::exception_ptr noteLost(const Call& call, const Loss& loss);
    /// Tells the slaves of a lost sub-master what has become of the teams whose calls it had. It may have lost the roster of a team, and
    /// the word that a slave has begun.
    void serve(const std::vector<int>& slaves, const std::vector<std::shared_ptr<Call>>& calls);
    /// Gives up the team of the call, if it does not work yet. True: the team is given up, now or before.
    bool giveUp(const Call& call, const std::exception_ptr& reason);
    /// Gives up the teams that need more slaves than there are.
    void slavesLeft(int count);

private:
    void letWork(TeamCalls& team);
    void recall(TeamCalls& team);
    void gatherAnew(TeamCalls& team);
    void giveUp(const std::shared_ptr<TeamCalls>& team, const std::exception_ptr& reason);

    Mailbox& mailbox_;
    Stragglers* const stragglers_;
    const Actions actions_;
    std::set<std::shared_ptr<TeamCalls>> open_;         ///< all teams that are not done
    std::deque<std::shared_ptr<TeamCalls>> waiting_;    ///< teams that do not work yet; the first one gathers its slaves
};

}    // namespace ferry::detail

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>
#include <ferry/apps/timetabling/curriculum/search/SearchState.hpp>
#include <ferry/apps/timetabling/report/TimetableView.hpp>

namespace timetabling {

/// The work that a page asks of the master.
struct DeskOrder {
    enum class Kind { Solve, Write, End };
    Kind kind = Kind::End;
    curriculum::Instance
        instance{};    ///< the instance with the pins and closings of the page; to solve, the present timetable is published
    curriculum::Solution timetable{};    ///< the present timetable
    double seconds = 0;
};

/// The timetable that the page of a search shows and changes: the places of a lecture with their costs, pins, closed rooms, undo.
///
/// While a search runs, nothing can be changed. A change of the page names the version that the page shows, and another version
/// refuses it. So nobody changes a timetable that they do not see.
/// Costs come from the incremental evaluation of the search. The verdict of the present timetable comes from the exact scorer.
/// Threads: any. The server's thread asks and changes, the master's thread opens the desk and takes the orders.
/// Errors: HttpRefusal for numbers out of range (400) or a change that the present state does not allow (409).
class Desk {
public:
    using Json = nlohmann::ordered_json;

    /// Errors: std::invalid_argument for an instance that no reader would have accepted.
    explicit Desk(const curriculum::Instance& instance);
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;
    ~Desk();

    // The master's part.
    /// Shows the best timetable of the search that runs. The slots are those of the instance.
    void follow(const Slots& slots);
    /// The search is over: from now on the timetable can be changed.
    void open();
    /// Takes the next order of the page, if there is one.
    std::optional<DeskOrder> takeOrder();
    /// Whether the page wants the search that runs to end.
    bool isStopWanted() const;
    /// Offers the result of a search, which is over then. 'sentence' says how few moves are possible; it may be empty.
    void propose(const curriculum::Solution& timetable, const std::string& sentence);
    /// Says why a search has no result. The search is over then.
    void fail(const std::string& reason);

    // Questions of the page.
    std::uint64_t version() const;
    bool hasTimetable() const;
    /// The present timetable for pages, with closed places and pins, and its version. There has to be a timetable.
    TimetableView view(std::uint64_t& version) const;
    /// Version, verdict, pins, closings, the result that waits, and what can be undone.
    Json state() const;
    /// All places for the lecture of the course in this period, with what each costs.
    Json places(int course, int period) const;
    /// The rooms that are free and open in each period.
    Json freeRooms() const;
    /// The present timetable as --csv and --json write it; the pins as --pin reads them; the table closed.csv of a folder.
    enum class Document { Csv, Json, Pins, Closed };
    std::string document(Document kind) const;

    // Changes by the page. 'version' is the version that the page shows.
    void move(std::uint64_t version, int course, int period, int toPeriod, int toRoom);
    /// Pins the lecture of the course in this period to a place. toRoom -1: in any room.
    void pin(std::uint64_t version, int course, int period, int toPeriod, int toRoom);
    /// Takes the pin of the course away that holds this period.
    void unpin(std::uint64_t version, int course, int period);
    /// Closes a room, or all rooms for -1, in a period, or in all periods for -1. Opens only what was closed here.
    void setClosed(std::uint64_t version, int room, int period, bool isClosed);
    /// Asks for a search of so many seconds: with as few moves as possible, or as cheap as possible.
    void solve(std::uint64_t version, double seconds, bool isCheap);
    void stop();
    void take(std::uint64_t version);
    void discard(std::uint64_t version);
    void undo(std::uint64_t version);
    /// Asks the program to end.
    void end();

private:
    struct State {
        curriculum::Solution timetable;
        std::vector<curriculum::Pin> pins;
        std::vector<curriculum::RoomClosing> closings;    ///< beyond those of the instance
    };
    struct Proposal;
    struct Derived;

    void requireReady(std::uint64_t version) const;
    int lectureAt(int course, int period) const;
    bool isPinned(int course, int period, int room) const;
    bool isMet(const curriculum::Pin& pin) const;
    bool isClosed(int period, int room) const;
    void change(State next, std::string told);
    void changeWish(State next, std::string told);
    void order(DeskOrder::Kind kind);
    curriculum::Instance instanceOf(const State& state) const;
    curriculum::Instance withMetPins() const;
    Derived& derived() const;
    std::string placeText(int period, int room) const;
    Json pinsJson() const;
    Json closingsJson() const;
    Json describe(const curriculum::Solution& result, const std::string& sentence) const;

    mutable std::mutex mutex_;    ///< protects all members below
    curriculum::Instance base_;
    const curriculum::Problem problem_;    ///< of the instance as it was given
    std::optional<State> state_;
    std::vector<State> earlier_;
    std::uint64_t version_ = 0;
    bool isSearching_ = true;
    bool isStopWanted_ = false;
    std::unique_ptr<const Proposal> proposal_;    ///< null: no result waits to be taken over
    std::string told_;                            ///< what happened last, in words
    std::deque<DeskOrder::Kind> orders_;
    double seconds_ = 0;                          ///< of the search that was ordered
    bool isCheap_ = false;                        ///< the search that was ordered looks for a cheap timetable and not for few moves
    mutable std::unique_ptr<Derived> derived_;    ///< what follows from the present state; null: not computed yet
};

}    // namespace timetabling

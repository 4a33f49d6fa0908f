#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/problem/AnyProblem.hpp>
#include <ferry/apps/timetabling/report/TimetableView.hpp>
#include <ferry/apps/timetabling/serve/DeskModel.hpp>

namespace timetabling {

/// The work that a page asks of the master.
struct DeskOrder {
    enum class Kind { Solve, Write, End };
    Kind kind = Kind::End;
    AnyInstance instance{};         ///< with the pins and closings of the page; to solve, the present timetable is published
    Slots slots{};                  ///< to write: the present timetable, for this instance
    bool isWorthKeeping = false;    ///< to write: the files of the results should hold the timetable
    double seconds = 0;
};

/// The timetable that the page of a search shows and changes: the places of a lecture with their costs, pins, closed rooms, undo.
///
/// An item is a course of a curriculum-based problem, or an event of a post-enrolment one.
/// While a search runs, nothing can be changed. A change of the page names the version that the page shows, and another version
/// refuses it. So nobody changes a timetable that they do not see.
/// Costs come from an incremental evaluation. The verdict of the present timetable comes from the exact scorer.
/// Threads: any. The server's thread asks and changes, the master's thread opens the desk and takes the orders.
/// Errors: HttpRefusal for numbers out of range (400) or a change that the present state does not allow (409).
class Desk {
public:
    using Json = nlohmann::ordered_json;

    /// Errors: std::invalid_argument for an instance that no reader would have accepted.
    explicit Desk(const AnyInstance& instance);
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
    /// Offers the result of a search for the instance of an order, which is over then. 'sentence' says how few moves are possible; it may
    /// be empty.
    void propose(const AnyInstance& solved, const Slots& slots, const std::string& sentence);
    /// Says why a search has no result. The search is over then.
    void fail(const std::string& reason);

    // Questions of the page.
    std::uint64_t version() const;
    bool hasTimetable() const;
    const DeskModel& model() const { return *model_; }
    /// The present timetable for pages, with closed places and pins, and its version. There has to be a timetable.
    TimetableView view(std::uint64_t& version) const;
    /// Version, verdict, what is left out, pins, closings, the result that waits, and what can be undone.
    Json state() const;
    /// All places for what the item has in this period, with what each costs.
    Json places(int item, int period) const;
    /// All places for a lecture of the course, or an event, that is left out.
    Json placesForLeftOut(int item) const;
    /// The rooms that are free and open in each period.
    Json freeRooms() const;
    /// The present timetable as --csv and --json write it; the pins as --pin reads them; the file with the closings for the next run.
    enum class Document { Csv, Json, Pins, Closings };
    std::string document(Document kind) const;

    // Changes by the page. 'version' is the version that the page shows.
    void move(std::uint64_t version, int item, int period, int toPeriod, int toRoom);
    /// Puts a lecture of the course, or an event, that is left out into a free place.
    void place(std::uint64_t version, int item, int toPeriod, int toRoom);
    /// Leaves out what the item has in this period.
    void leaveOut(std::uint64_t version, int item, int period);
    /// Pins what the item has in this period to a place. toRoom -1: in any room.
    void pin(std::uint64_t version, int item, int period, int toPeriod, int toRoom);
    /// Takes the pin of the item away that holds this period.
    void unpin(std::uint64_t version, int item, int period);
    /// Closes a room, or all rooms for -1, in a period, or in all periods for -1. Opens only what was closed here.
    void setClosed(std::uint64_t version, int room, int period, bool isClosed);
    /// Asks for a search that lasts `seconds`: with as few moves as possible, or as cheap as possible. Refuses (409) pins that contradict
    /// what is left out, so the order that follows has an instance that can be solved.
    void solve(std::uint64_t version, double seconds, bool isCheap);
    void stop();
    void take(std::uint64_t version);
    void discard(std::uint64_t version);
    void undo(std::uint64_t version);
    /// Asks the program to end.
    void end();

private:
    struct Proposal;

    void requireReady(std::uint64_t version) const;
    void requireItem(int item) const;
    DeskPlace placeAt(int item, int period) const;
    bool isPinned(const DeskPlace& place) const;
    bool isMet(const DeskPlace& pin) const;
    void change(DeskState next, std::string told);
    void changeWish(DeskState next, std::string told);
    void order(DeskOrder::Kind kind);
    DeskFigures& figures() const;
    std::string placeText(int period, int room) const;
    Json placesJson(std::vector<DeskOffer> offers) const;
    Json pinsJson() const;
    Json closingsJson() const;
    Json leftOutJson() const;
    Json describe(const std::vector<DeskPlace>& result, const std::string& sentence) const;

    const std::unique_ptr<const DeskModel> model_;
    mutable std::mutex mutex_;    ///< protects all members below, and the model
    std::optional<DeskState> state_;
    std::vector<DeskState> earlier_;
    std::uint64_t version_ = 0;
    bool isSearching_ = true;
    bool isStopWanted_ = false;
    std::unique_ptr<const Proposal> proposal_;    ///< null: no result waits to be taken over
    std::string told_;                            ///< what happened last, in words
    std::deque<DeskOrder::Kind> orders_;
    double seconds_ = 0;                              ///< of the search that was ordered
    bool isCheap_ = false;                            ///< the search that was ordered looks for a cheap timetable and not for few moves
    mutable std::unique_ptr<DeskFigures> figures_;    ///< what follows from the present state; null: not computed yet
};

}    // namespace timetabling

#include <ferry/guard/region/CallComparison.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/ShortText.hpp>
#include <ferry/guard/meeting/Standing.hpp>

namespace ferry::pmpi {

namespace {

/// The call of one rank, as it travels.
struct CallNote {
    std::uint64_t number = 0;          ///< of the barrier on the communicator; 0: the rank is in no collective call
    std::int32_t communicator = -1;    ///< id
    std::int32_t hasDisagreed = 0;
    ShortText<200> call;
    ShortText<200> place;
    ShortText<200> thrown;
};

CallNote callNoteOf(const PresentCall* present, bool hasDisagreed) {
    CallNote note;
    if (present == nullptr) return note;
    note.number = present->communicator().entered;
    note.communicator = present->communicator().id;
    note.hasDisagreed = hasDisagreed ? 1 : 0;
    note.call.set(present->signature().text(present->communicator()));
    note.place.set(standingHere().place);
    note.thrown.set(thrownBefore());
    return note;
}

/// The non-blocking call that one of the ranks has found to differ, the same on each rank; empty: none.
std::optional<EntryTree::Place> differingDeferred(MPI_Comm meetingPlace, const std::optional<EntryTree::Place>& own, int size) {
    const EntryTree::Place mine = own.value_or(EntryTree::Place{});
    std::vector<EntryTree::Place> places(static_cast<std::size_t>(size));
    must(PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, places.data(), sizeof mine, MPI_BYTE, meetingPlace), "MPI_Allgather");
    const auto found = std::find_if(places.begin(), places.end(), [](const EntryTree::Place& place) { return place.number != 0; });
    return found != places.end() ? std::optional(*found) : std::nullopt;
}

/// The non-blocking call of this rank at the place. Its line is not known: the call was made before.
CallNote callNoteOf(const EntryTree::Place& place, const DeferredCollectives& deferred) {
    CallNote note;
    const std::string text = deferred.textOf(place);
    if (text.empty()) return note;
    note.number = place.number;
    note.communicator = place.communicator;
    const auto& own = deferred.disagreement();
    note.hasDisagreed = own && own->communicator == place.communicator && own->number == place.number ? 1 : 0;
    note.call.set(text);
    note.thrown.set(thrownBefore());
    return note;
}

detail::CollectiveCall inWords(const std::vector<CallNote>& notes, int rank) {
    const CallNote& note = notes[static_cast<std::size_t>(rank)];
    const std::string place = note.place.get();
    const std::string thrown = note.thrown.get();
    return {rank, fmt::format("{}{}{}{}{}", note.call.get(), place.empty() ? "" : " in ", place,
                              thrown.empty() ? "" : ", after it has thrown ", thrown)};
}

}    // namespace

std::optional<CollectiveMismatch> comparedCalls(MPI_Comm meetingPlace, const PresentCall* present, bool hasDisagreed,
                                                const DeferredCollectives& deferred) {
    int size = 0;
    must(PMPI_Comm_size(meetingPlace, &size), "MPI_Comm_size");
    const auto place = differingDeferred(meetingPlace, deferred.disagreement(), size);
    const CallNote own = place ? callNoteOf(*place, deferred) : callNoteOf(present, hasDisagreed);
    std::vector<CallNote> notes(static_cast<std::size_t>(size));
    must(PMPI_Allgather(&own, sizeof own, MPI_BYTE, notes.data(), sizeof own, MPI_BYTE, meetingPlace), "MPI_Allgather");
    const auto first = std::find_if(notes.begin(), notes.end(), [](const CallNote& note) { return note.hasDisagreed != 0; });
    if (first == notes.end()) return std::nullopt;
    std::map<std::string, std::vector<int>> ranksOf;    // by call
    for (int rank = 0; rank < size; ++rank) {
        const CallNote& note = notes[static_cast<std::size_t>(rank)];
        if (note.communicator == first->communicator && note.number == first->number) ranksOf[note.call.get()].push_back(rank);
    }
    // The majority has more ranks, or the lowest one.
    const auto isLess = [](const auto& left, const auto& right) {
        return std::pair(left.second.size(), right.second.front()) < std::pair(right.second.size(), left.second.front());
    };
    const auto most = std::max_element(ranksOf.begin(), ranksOf.end(), isLess);
    const auto fewest = std::min_element(ranksOf.begin(), ranksOf.end(), isLess);
    if (most == fewest) return std::nullopt;
    return CollectiveMismatch(inWords(notes, fewest->second.front()), inWords(notes, most->second.front()));
}

}    // namespace ferry::pmpi

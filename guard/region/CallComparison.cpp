#include <ferry/guard/region/CallComparison.hpp>

#include <execinfo.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/serialization/exception/LastThrow.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/StackFrame.hpp>
#include <ferry/serialization/exception/Symbols.hpp>

namespace ferry::pmpi {

namespace {

/// A text that travels in a fixed place.
template <std::size_t size>
class ShortText {
public:
    void set(const std::string& text) { text.copy(characters_.data(), size - 1); }
    std::string get() const { return {characters_.begin(), std::find(characters_.begin(), characters_.end() - 1, '\0')}; }

private:
    std::array<char, size> characters_{};
};

/// The call of one rank, as it travels.
struct CallNote {
    std::uint64_t number = 0;          ///< of the barrier on the communicator; 0: the rank is in no collective call
    std::int32_t communicator = -1;    ///< id
    std::int32_t hasDisagreed = 0;
    ShortText<200> call;
    ShortText<200> place;
    ShortText<200> caught;
};

bool isCallOfMpi(const detail::StackFrame& frame) {
    const std::string_view function = frame.function;
    return function.starts_with("MPI_") || function.starts_with("mpi_") || function.starts_with("ferry::guarded(");
}

/// The function and line of the program that has made the call of MPI which this thread is in.
std::string placeOfCall() {
    std::array<void*, 64> addresses{};
    const int count = ::backtrace(addresses.data(), static_cast<int>(addresses.size()));
    bool isBehindCall = false;
    for (int i = 0; i < count; ++i) {
        for (const detail::StackFrame& frame : detail::symbolise({&addresses[static_cast<std::size_t>(i)], 1})) {
            if (isCallOfMpi(frame)) {
                isBehindCall = true;
            } else if (isBehindCall && !detail::isOfSystem(frame)) {
                return detail::describe(frame);
            }
        }
    }
    return {};
}

std::string caughtBefore() {
    const std::optional<detail::LastThrow> last = detail::LastThrow::ofProcess();
    if (!last) return {};
    const Origin origin = detail::readableOrigin(last->record->origin, *last->record);
    const std::string place = origin.file.substr(origin.file.rfind('/') + 1);
    return place.empty() ? last->summary() : fmt::format("{} ({}:{})", last->summary(), place, origin.line);
}

CallNote noteOf(const PresentCall* present, bool hasDisagreed) {
    CallNote note;
    if (present == nullptr) return note;
    note.number = present->communicator().entered;
    note.communicator = present->communicator().id;
    note.hasDisagreed = hasDisagreed ? 1 : 0;
    note.call.set(present->signature().text(present->communicator().rank));
    note.place.set(placeOfCall());
    note.caught.set(caughtBefore());
    return note;
}

detail::CollectiveCall inWords(const std::vector<CallNote>& notes, int rank) {
    const CallNote& note = notes[static_cast<std::size_t>(rank)];
    const std::string place = note.place.get();
    const std::string caught = note.caught.get();
    return {rank, fmt::format("{}{}{}{}{}", note.call.get(), place.empty() ? "" : " in ", place,
                              caught.empty() ? "" : ", after it has caught ", caught)};
}

}    // namespace

std::optional<CollectiveMismatch> comparedCalls(MPI_Comm channel, const PresentCall* present, bool hasDisagreed) {
    int size = 0;
    must(PMPI_Comm_size(channel, &size), "MPI_Comm_size");
    const CallNote own = noteOf(present, hasDisagreed);
    std::vector<CallNote> notes(static_cast<std::size_t>(size));
    must(PMPI_Allgather(&own, sizeof own, MPI_BYTE, notes.data(), sizeof own, MPI_BYTE, channel), "MPI_Allgather");
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

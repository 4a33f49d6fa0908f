#include <ferry/guard/meeting/Standing.hpp>

#include <execinfo.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/exception/LastThrow.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/stack/StackFrame.hpp>
#include <ferry/serialization/exception/stack/Symbols.hpp>

namespace ferry::pmpi {

namespace {

constexpr std::size_t callsTold = 6;    // in a roll call, for each group

bool isCallOfMpi(const detail::StackFrame& frame) {
    const std::string_view function = frame.function;
    return function.starts_with("MPI_") || function.starts_with("mpi_") || function.starts_with("ferry::guarded(");
}

/// Whether the frame is in a library of the system, of a sanitizer or of MPI, which may have lines, too. Other libraries count as the
/// program.
bool isInSystemLibrary(const detail::StackFrame& frame) {
    constexpr std::array<std::string_view, 17> names{"libc.",     "libc-",      "libpthread", "libm.",    "libstdc++", "libgcc_s",
                                                     "ld-linux",  "linux-vdso", "libmpi",     "libopen-", "libucp",    "libevent",
                                                     "libfabric", "libpmix",    "libasan",    "libtsan",  "libubsan"};
    const std::string_view module = std::string_view(frame.module).substr(frame.module.rfind('/') + 1);
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return module.starts_with(name); });
}

std::string ownFile() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

/// Whether the frame is the program's. A frame without a line counts behind a call of MPI, or in the program's own file.
bool isOfProgram(const detail::StackFrame& frame, bool isBehindCall) {
    static const std::string& program = *new std::string(ownFile());
    if (isInSystemLibrary(frame) || detail::isOfSystem(frame) || detail::isInFerry(frame)) return false;
    return !frame.file.empty() || isBehindCall || frame.module == program;
}

/// The function's name without arguments.
std::string bareName(const std::string& function) { return function.substr(0, function.find('(')); }

}    // namespace

std::string (*placeInInterpreter)() = nullptr;
void (*noteHandledInInterpreter)() = nullptr;

Standing standingAt(std::span<void* const> addresses) {
    Standing standing;
    for (void* const& address : addresses) {
        for (const detail::StackFrame& frame : detail::symbolise({&address, 1})) {
            if (isCallOfMpi(frame)) {
                standing.call = bareName(frame.function);
            } else if (isOfProgram(frame, !standing.call.empty())) {
                standing.place = detail::describe(frame);
                return standing;
            }
        }
    }
    return standing;
}

Standing standingHere() {
    std::array<void*, 64> addresses{};
    const int count = ::backtrace(addresses.data(), static_cast<int>(addresses.size()));
    Standing standing = standingAt({addresses.data(), static_cast<std::size_t>(count)});
    if (noteHandledInInterpreter != nullptr) noteHandledInInterpreter();
    if (placeInInterpreter != nullptr) {
        if (std::string place = placeInInterpreter(); !place.empty()) standing.place = std::move(place);
    }
    return standing;
}

std::string thrownBefore() {
    const std::optional<detail::LastThrow> last = detail::LastThrow::ofProcess();
    if (!last) return {};
    const Origin origin = detail::readableOrigin(last->record->origin, *last->record);
    const std::string place = origin.file.substr(origin.file.rfind('/') + 1);
    return place.empty() ? last->summary() : fmt::format("{} ({}:{})", last->summary(), place, origin.line);
}

RollNote noteOf(int rank, const Standing& standing, std::int64_t seconds) {
    RollNote note;
    note.rank = rank;
    note.seconds = seconds;
    const CallRing& ring = CallRing::ofProcess();
    const CallRing::Pending pending = ring.pending();
    const bool repeatsTests = pending.test != nullptr && ring.repeatsTests();
    note.state = standing.call.empty() && !repeatsTests ? RollNote::Computes : RollNote::InCall;
    note.place.set(standing.place);
    note.thrown.set(thrownBefore());
    note.enteredWorld = ring.enteredWorld();
    note.lastCalls.set(ring.inWords(callsTold));
    if (repeatsTests) {
        note.name.set(pending.test);
        note.call.set(fmt::format("repeated {} for {}", pending.test, pending.text.get()));
        note.peer = pending.peer;
        return note;
    }
    if (standing.call.empty()) return note;
    const CallRing::Call last = ring.last();
    note.name.set(standing.call);
    // A call that the ring does not have, or another thread's, is told by its name alone.
    const bool isLast = last.name != nullptr && standing.call == last.name;
    const std::string waited = pending.text.get();
    note.call.set(!isLast                               ? standing.call
                  : last.number == 0 && !waited.empty() ? fmt::format("{} for {}", last.name, waited)
                                                        : inWords(last));
    if (!isLast) return note;
    note.number = last.number;
    if (last.number != 0) note.communicator = last.communicator;
    note.peer = last.number != 0                 ? CallRing::none
                : pending.peer != CallRing::none ? pending.peer
                : last.communicator == 0         ? last.peer
                                                 : CallRing::none;
    return note;
}

}    // namespace ferry::pmpi

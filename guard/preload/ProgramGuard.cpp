#include <ferry/guard/preload/ProgramGuard.hpp>

#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <unwind.h>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/ending/JobReport.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/preload/RegionClaim.hpp>
#include <ferry/guard/region/Filter.hpp>
#include <ferry/guard/region/ProgramHooks.hpp>
#include <ferry/guard/region/regionBounds.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

constexpr double defaultPatienceSeconds = 10;
constexpr auto endLook = std::chrono::milliseconds(1);    // time between looks for the ranks that still end

std::chrono::milliseconds patienceOfEnvironment() {
    const char* wish = std::getenv("FERRY_GUARD_PATIENCE");
    char* end = nullptr;
    double seconds = wish == nullptr || *wish == '\0' ? defaultPatienceSeconds : std::strtod(wish, &end);
    if ((end != nullptr && *end != '\0') || !(seconds >= 0) || seconds > 1e6) {
        fmt::print(stderr, "ferry: FERRY_GUARD_PATIENCE: expected seconds from 0 to 1e6, found {}: {} s are used\n", wish,
                   defaultPatienceSeconds);
        seconds = defaultPatienceSeconds;
    }
    return std::chrono::milliseconds(std::llround(1000 * seconds));
}

std::string passedCallsText(const pmpi::Region& region) {
    if (region.passedCalls().empty()) return {};
    return fmt::format("ferry: calls without protection on rank {}: {}\n", region.channel().rank(), fmt::join(region.passedCalls(), ", "));
}

/// Makes the objects that are used when the program exits before its exit handlers are registered, so that they outlive the handlers.
void prepareForTheEnd() {
    const ThrowRecordingPause pause;
    const auto nothing = std::make_exception_ptr(Terminated("nothing", exitStatus::success));
    const auto list = std::make_exception_ptr(ExceptionList(recordsOf(nothing, 0, 0)));
    static_cast<void>(JobReport(exitStatus::success, {list}).text());
}

std::exception_ptr endInTheMiddle(int status, int rank) {
    const ThrowRecordingPause pause;
    const std::string text = fmt::format("rank {} ended its program with status {} in the middle of MPI", rank, status);
    return std::make_exception_ptr(Terminated(text, status == exitStatus::success ? exitStatus::earlyExit : status));
}

/// Runs the program and catches an exception that leaves main(). The function has its own frame, which reachesMain() looks for.
[[gnu::noinline, gnu::noclone]] int callMain(ProgramGuard::Main* main, int argc, char** argv, char** environment,
                                             std::exception_ptr& thrown) {
    try {
        return main(argc, argv, environment);
    } catch (const pmpi::Filter&) {    // catches nothing: see Filter
    } catch (const RegionClaim&) {
        thrown = std::current_exception();
    }
    return exitStatus::exception;
}

/// Whether an exception that is thrown here would reach callMain().
bool reachesMain() {
    bool isReached = false;
    const _Unwind_Trace_Fn look = [](_Unwind_Context* frame, void* place) {
        const bool isMain = _Unwind_GetRegionStart(frame) == reinterpret_cast<std::uintptr_t>(&callMain);
        if (isMain) *static_cast<bool*>(place) = true;
        return isMain ? _URC_END_OF_STACK : _URC_NO_REASON;
    };
    _Unwind_Backtrace(look, &isReached);
    return isReached;
}

/// The reason why no region can begin here; empty: a region can begin.
std::string obstacle() {
    if (!reachesMain())
        return "no exception can reach main() from where MPI is initialised: on another thread, before main(), or under functions without "
               "unwind tables (-fasynchronous-unwind-tables)";
    try {
        pmpi::requireUsable(MPI_COMM_WORLD);
        return {};
    } catch (const UsageError& error) {
        return error.what();
    }
}

}    // namespace

ProgramGuard& ProgramGuard::ofProcess() {
    static ProgramGuard& guard = *new ProgramGuard;    // lives longer than the exit() handlers
    return guard;
}

int ProgramGuard::run(Main* main, int argc, char** argv, char** environment) {
    process_ = ::getpid();
    thread_ = std::this_thread::get_id();
    ::pthread_atfork(nullptr, nullptr, [] { pmpi::activeRegion = nullptr; });    // a forked child takes no part
    pmpi::programHooks = {.initialized = [] { ofProcess().begin(); }, .finalizes = [] { return ofProcess().finalizes(); }};
    prepareForTheEnd();
    // This handler runs after the handlers that the program registers, one of which may finalise MPI.
    ::on_exit([](int status, void*) { ofProcess().noteExit(status); }, nullptr);
    std::exception_ptr thrown;
    const int status = callMain(main, argc, argv, environment, thrown);
    if (region_ && (thrown || region_->isOver())) conclude(thrown);
    if (failedStatus_) return *failedStatus_;
    return status;
}

/// Begins the region after MPI_Init.
void ProgramGuard::begin() {
    wasSeen_ = true;
    const std::string why = obstacle();
    const int mayBegin = why.empty() ? 1 : 0;
    int mayAllBegin = 0;
    pmpi::must(PMPI_Allreduce(&mayBegin, &mayAllBegin, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD), "MPI_Allreduce");
    if (mayAllBegin == 0) return sayUnguarded(why.empty() ? "another rank cannot be guarded" : why);
    channel_ = &pmpi::channelForRegion(MPI_COMM_WORLD);
    region_.emplace(*channel_, pmpi::RegionSettings{.makesUnsupportedCalls = true, .patience = patienceOfEnvironment(), .giveUp = giveUp});
}

/// Handles MPI_Finalize. Returns whether MPI may be finalised now. After a failure, and for a rank whose main() is about to catch an
/// exception, MPI is finalised when the program ends.
bool ProgramGuard::finalizes() {
    if (failedStatus_) return false;
    if (!region_) return true;
    if (region_->isOver() || std::uncaught_exceptions() > 0) return false;
    if (!region_->succeed()) return false;    // a destructor calls MPI_Finalize: nothing is thrown
    region_.reset();
    return true;
}

/// Handles exit(), after the exit handlers of the program have run.
void ProgramGuard::noteExit(int status) {
    if (::getpid() != process_ || std::this_thread::get_id() != thread_) return;
    if (region_) conclude(region_->isOver() ? nullptr : endInTheMiddle(visibleExitStatus(status), channel_->rank()));
    int isInitialized = 0;
    int isFinalized = 0;
    PMPI_Initialized(&isInitialized);
    PMPI_Finalized(&isFinalized);
    if (failedStatus_ && isFinalized == 0) endMpi();
    if (isInitialized != 0 && !wasSeen_)
        fmt::print(stderr,
                   "ferry: this program was not guarded: its calls of MPI do not go through the guard (Fortran, or another library that "
                   "stands before MPI)\n");
    if (failedStatus_ && *failedStatus_ != visibleExitStatus(status)) std::exit(*failedStatus_);    // goes on with the remaining handlers
}

/// Ends the region after a failure; `thrown` is this rank's failure, if any. An error in here ends the process, and so the job.
void ProgramGuard::conclude(const std::exception_ptr& thrown) noexcept {
    const std::string passed = passedCallsText(*region_);
    std::vector<FailureRecord> failures = pmpi::endRegion(*region_, *channel_, thrown);
    region_.reset();
    const ThrowRecordingPause pause;
    const ExceptionList list(std::move(failures));
    const std::exception_ptr told = list.size() == 1 ? list.front().exception() : std::make_exception_ptr(list);
    failedStatus_ = exitStatusOf(told);
    if (channel_->rank() == 0) JobReport(*failedStatus_, {told}).print();
    std::fflush(nullptr);
    // When this call returns, rank 0 has printed its report.
    const int wish = passed.empty() ? channel_->size() : channel_->rank();
    int speaker = wish;
    pmpi::must(PMPI_Allreduce(&wish, &speaker, 1, MPI_INT, MPI_MIN, channel_->own()), "MPI_Allreduce");
    if (speaker == channel_->rank()) std::fputs(passed.c_str(), stderr);
    mayFinalize_ = speaker == channel_->size();
}

/// Ends MPI after a failure. The launcher kills all other ranks when one ends without MPI_Finalize. If no rank may call MPI_Finalize, all
/// ranks end together.
void ProgramGuard::endMpi() {
    if (mayFinalize_) {
        pmpi::Channel::closeAll();
        pmpi::must(PMPI_Finalize(), "MPI_Finalize");
        return;
    }
    MPI_Request meeting = MPI_REQUEST_NULL;
    pmpi::must(PMPI_Ibarrier(channel_->own(), &meeting), "MPI_Ibarrier");
    const auto end = std::chrono::steady_clock::now() + patienceOfEnvironment();
    int haveAllCome = 0;
    while (haveAllCome == 0 && std::chrono::steady_clock::now() < end) {
        pmpi::must(PMPI_Test(&meeting, &haveAllCome, MPI_STATUS_IGNORE), "MPI_Test");
        if (haveAllCome == 0) std::this_thread::sleep_for(endLook);
    }
}

void ProgramGuard::sayUnguarded(const std::string& why) {
    int rank = 0;
    pmpi::must(PMPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    if (rank == 0) fmt::print(stderr, "ferry: this program is not guarded: {}\n", why);
}

void ProgramGuard::giveUp(const pmpi::Region& region) {
    const std::string& thrown = region.channel().failedText();
    const std::string text = fmt::format(
        "ferry: rank {} has failed: {}\nferry: not all other ranks have come to a call of MPI within {}: the job is ended by force\n{}",
        region.channel().failedRank(), thrown.empty() ? "for an unknown reason" : thrown, patienceOfEnvironment(), passedCallsText(region));
    std::fputs(text.c_str(), stderr);
    std::fflush(nullptr);
    PMPI_Abort(MPI_COMM_WORLD, exitStatus::exception);
    std::abort();
}

}    // namespace ferry::detail

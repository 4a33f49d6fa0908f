#include <ferry/guard/preload/ProgramGuard.hpp>

#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <unwind.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/ending/JobReport.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/Turn.hpp>
#include <ferry/guard/known/endSignal.hpp>
#include <ferry/guard/meeting/Standing.hpp>
#include <ferry/guard/preload/DeathNotice.hpp>
#include <ferry/guard/preload/EndSignals.hpp>
#include <ferry/guard/preload/OtherMpi.hpp>
#include <ferry/guard/preload/PythonProgram.hpp>
#include <ferry/guard/preload/RegionClaim.hpp>
#include <ferry/guard/preload/RollCaller.hpp>
#include <ferry/guard/region/ProgramHooks.hpp>
#include <ferry/guard/region/UnwindProbe.hpp>
#include <ferry/guard/region/rebuilt.hpp>
#include <ferry/guard/region/regionBounds.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/exception/LastThrow.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

constexpr double defaultPatienceSeconds = 10;
constexpr auto endLook = std::chrono::milliseconds(1);            // time between looks for the ranks that still end
constexpr auto timeForAbort = std::chrono::milliseconds(1000);    // time that a rank in MPI_Abort waits for all ranks to come to a call
constexpr auto timeForEnds = std::chrono::milliseconds(3000);     // and then to leave their programs
constexpr int patiencesForCleanUp = 6;                            // that ranks get to leave their programs after another failure
constexpr auto delayOfRank = std::chrono::milliseconds(20);
constexpr int mostDelayed = 20;

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

/// The way in which calls tell a failure, as the environment says.
pmpi::WokenCalls wokenCallsOfEnvironment() {
    const char* wish = std::getenv("FERRY_GUARD_ERRORS");
    const std::string_view way = wish != nullptr ? wish : "";
    if (way == "return") return pmpi::WokenCalls::AskHandler;
    if (!way.empty() && way != "throw")
        fmt::print(stderr, "ferry: FERRY_GUARD_ERRORS: expected throw or return, found {}: throw is used\n", way);
    return pmpi::WokenCalls::Throw;
}

/// The end of a Python program as an exception: with Python's class, text and place, and the exit status.
std::exception_ptr exceptionOf(const PythonProgram::End& end) {
    const ThrowRecordingPause pause;
    Terminated exception(end.summary, end.status);
    exception.restore(end.traceback, Origin::here(end.file.c_str(), end.line), end.type);
    return std::make_exception_ptr(exception);
}

std::string passedCallsText(const pmpi::Region& region) {
    if (region.passedCalls().empty()) return {};
    return fmt::format("ferry: calls without protection on rank {}: {}\n", region.meetingPlace().rank(),
                       fmt::join(region.passedCalls(), ", "));
}

/// Whether a call has connected this rank with processes of another job. The launcher has to end them when this job fails.
bool connectsProcesses(const std::vector<std::string>& calls) {
    constexpr std::array<std::string_view, 5> connecting{"MPI_Comm_spawn", "MPI_Comm_spawn_multiple", "MPI_Comm_accept", "MPI_Comm_connect",
                                                         "MPI_Comm_join"};
    return std::any_of(calls.begin(), calls.end(),
                       [&](const std::string& call) { return std::find(connecting.begin(), connecting.end(), call) != connecting.end(); });
}

/// Whether this process was spawned by another job, which may wait for it.
[[maybe_unused]] bool isSpawned() {
    MPI_Comm parent = MPI_COMM_NULL;
    pmpi::must(PMPI_Comm_get_parent(&parent), "MPI_Comm_get_parent");
    return parent != MPI_COMM_NULL;
}

/// Makes the objects that are used when the program exits before its exit handlers are registered, so that they outlive the handlers.
void prepareForTheEnd() {
    const ThrowRecordingPause pause;
    const auto nothing = std::make_exception_ptr(Terminated("nothing", exitStatus::success));
    const auto list = std::make_exception_ptr(ExceptionList(recordsOf(nothing, 0, 0)));
    static_cast<void>(JobReport(exitStatus::success, {list}).text());
}

/// The last exception of this process, as the end of a text; empty: there is none.
std::string thrownText() {
    const std::optional<LastThrow> last = LastThrow::ofProcess();
    if (!last) return {};
    const Origin origin = readableOrigin(last->record->origin, *last->record);
    const std::string place =
        origin.file.empty() ? "" : fmt::format(" ({}:{})", origin.file.substr(origin.file.rfind('/') + 1), origin.line);
    return fmt::format(". Before, the rank has thrown {}{}", last->summary(), place);
}

/// The exception as it is thrown here, with the stack of the program's call.
std::exception_ptr withStack(const Terminated& exception) {
    try {
        throw Terminated(exception);
    } catch (const Terminated&) {
        return std::current_exception();
    }
}

/// The exception that has failed the region on this rank and is about to leave main(); null: there is none.
std::exception_ptr leavingMain(const pmpi::Region& region) {
    const std::optional<LastThrow> last = LastThrow::ofProcess();
    const bool isOfLast = last && region.hasFailedItself() && region.meetingPlace().failedText() == last->summary();
    return isOfLast ? pmpi::rebuilt(*last, {}) : nullptr;
}

std::exception_ptr endInTheMiddle(int status, int rank) {
    const std::string text = fmt::format("rank {} ended its program with status {} in the middle of MPI{}", rank, status, thrownText());
    const Terminated exception(text, status == exitStatus::success ? exitStatus::earlyExit : status);
    if (!PythonProgram::isRunning()) return withStack(exception);
    const ThrowRecordingPause pause;    // the stack is the interpreter's
    return std::make_exception_ptr(exception);
}

/// The failure of a rank whose program calls MPI_Abort, with the stack of that call.
std::exception_ptr abortion(int status, int rank) {
    const std::optional<PythonProgram::Place> script = PythonProgram::look();
    const std::string text = fmt::format("rank {} called MPI_Abort with status {}{}", rank, status, thrownText());
    Terminated exception(text, visibleExitStatus(status) == exitStatus::success ? exitStatus::earlyExit : status);
    if (script) {
        const ThrowRecordingPause pause;
        exception.restore(text + '\n' + script->traceback, Origin::here(script->file.c_str(), script->line));
        return std::make_exception_ptr(exception);
    }
    return withStack(exception);
}

/// The failure as other ranks are told it, as one line.
std::string noticeOf(const std::exception_ptr& thrown) {
    constexpr std::string_view stopped = "the job was stopped: ";
    const Thrown failure(thrown);
    const std::string text = failure.text();
    if (failure.as<Terminated>() == nullptr) return fmt::format("{}: {}", failure.typeName(), text);
    const std::size_t begin = text.starts_with(stopped) ? stopped.size() : 0;
    return text.substr(begin, text.find('\n') - begin);
}

/// The failure of this rank after a signal that asks it to end. Empty: another rank of the host fails for the same signal.
std::optional<Terminated> endedBy(int signal) {
    if (!RollCaller::isFirstToEnd()) return std::nullopt;
    const std::optional<PythonProgram::Place> script = PythonProgram::look();
    Terminated exception(EndSignals::nameOf(signal), exitStatus::signalBase + signal);
    if (script)
        exception.restore(fmt::format("{}\n{}", exception.what(), script->traceback), Origin::here(script->file.c_str(), script->line));
    return exception;
}

void noteFailure(const pmpi::Region& region) {
    DeathNotice::noteFailure(region.meetingPlace().failedRank(), printable(region.meetingPlace().failedText()));
}

/// Runs the program and catches an exception that leaves main(). The function has its own frame, which reachesMain() looks for.
[[gnu::noinline, gnu::noclone]] int callMain(ProgramGuard::Main* main, int argc, char** argv, char** environment,
                                             std::exception_ptr& thrown) {
    try {
        return main(argc, argv, environment);
    } catch (const pmpi::UnwindProbe&) {    // catches nothing: see UnwindProbe
    } catch (ForcedUnwind&) {
        ProgramGuard::ofProcess().noteEndOfThread();
        throw;
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
    if (const auto other = OtherMpi::usedBy(nullptr)) {
        other->stepAside(argv, false);
        return main(argc, argv, environment);
    }
    arguments_ = argv;
    process_ = ::getpid();
    thread_ = std::this_thread::get_id();
    ::pthread_atfork(nullptr, nullptr, [] { pmpi::activeRegion = nullptr; });    // a forked child takes no part
    pmpi::programHooks = {.initializes = [](const void* caller) { ofProcess().expectOneMpi(caller); },
                          .initialized = [] { ofProcess().begin(); },
                          .finalizes = [] { return ofProcess().finalizes(); },
                          .aborts = [](int status) { ofProcess().abort(status); }};
    prepareForTheEnd();
    terminate_ = std::set_terminate([] {
        ofProcess().noteTerminate();
        ofProcess().terminate_();
    });
    // This handler runs after the handlers that the program registers, one of which may finalise MPI.
    ::on_exit([](int status, void*) { ofProcess().noteExit(status); }, nullptr);
    std::at_quick_exit([] { ofProcess().endQuickly(); });
    std::exception_ptr thrown;
    const int status = callMain(main, argc, argv, environment, thrown);
    if (region_ && (thrown || region_->isOver())) tellAtEnd(thrown);
    if (!failedStatus_) noteExitCall(status);
    return failedStatus_.value_or(status);
}

/// Ends the guard in this process if MPI_Init is called by a module that the program has loaded, with another MPI. That MPI has no handle
/// of the guard yet.
void ProgramGuard::expectOneMpi(const void* caller) const {
    const auto other = OtherMpi::usedBy(caller);
    if (!other) return;
    other->stepAside(arguments_, true);
    ::_exit(exitStatus::usage);    // the guard's MPI and the other one cannot be told apart any more
}

/// Begins the region after MPI_Init.
void ProgramGuard::begin() {
    wasSeen_ = true;
#if defined(MPICH_VERSION) || defined(MPI_ABI_VERSION)    // the library of the standard ABI may be that of MPICH
    if (!isSpawned()) launcherLine_.note();
#endif
    const std::string why = obstacle();
    const int mayBegin = why.empty() ? 1 : 0;
    int mayAllBegin = 0;
    pmpi::must(PMPI_Allreduce(&mayBegin, &mayAllBegin, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD), "MPI_Allreduce");
    if (mayAllBegin == 0) return sayUnguarded(why.empty() ? "another rank cannot be guarded" : why);
    meetingPlace_ = &pmpi::meetingPlaceForRegion(MPI_COMM_WORLD);
    LastThrow::keep();
    DeathNotice::install(meetingPlace_->rank());
    RollCaller::begin(*meetingPlace_);
    const auto giveUp = [](const pmpi::Region& region, const std::string& reason) { ofProcess().endByForce(region, reason); };
    // The report comes before the interpreter destroys the objects of the script: libraries may crash there after a failure.
    const auto ends = [this] {
        if (::getpid() == process_ && std::this_thread::get_id() == thread_ && region_ && region_->isOver() && !failedStatus_)
            tell(nullptr);
    };
    PythonProgram::listen([this](const PythonProgram::End& end) { return noteEndOfPython(end); }, ends);
    EndSignals::install(meetingPlace_->rank(), PythonProgram::interruptsAsEver(), RollCaller::noteEndSignal);
    if (PythonProgram::isRunning()) pmpi::noteHandledInInterpreter = [] { PythonProgram::look(); };
    const pmpi::WokenCalls wokenCalls = PythonProgram::isRunning() ? pmpi::WokenCalls::Return : wokenCallsOfEnvironment();
    region_.emplace(*meetingPlace_, pmpi::RegionSettings{.makesUnsupportedCalls = true,
                                                         .wokenCalls = wokenCalls,
                                                         .patience = patienceOfEnvironment(),
                                                         .callRoll = RollCaller::call,
                                                         .showRoll = RollCaller::show,
                                                         .endedBy = endedBy,
                                                         .failed = noteFailure,
                                                         .goesOn = [] { ofProcess().endGoingOn(); },
                                                         .giveUp = giveUp});
}

/// Handles an exception that a Python program has not caught. The program then ends by itself, and its calls of MPI return errors. Returns
/// false if the exception is not told by the report of the job.
bool ProgramGuard::noteEndOfPython(const PythonProgram::End& end) {
    if (::getpid() != process_ || std::this_thread::get_id() != thread_ || !region_) return false;
    if (region_->isOver() && region_->hasStoodStill() && end.isBehindAnother) thrown_ = exceptionOf(end);    // why the rank was elsewhere
    if (region_->isOver()) return true;                                                                      // a consequence of the failure
    const pmpi::Turn turn("the end of the program");
    pmpi::endSignal = 0;    // KeyboardInterrupt
    thrown_ = exceptionOf(end);
    region_->failHere(end.summary);
    return true;
}

/// Handles MPI_Finalize. Returns whether MPI may be finalised now. After a failure, and for a rank whose main() is about to catch an
/// exception, MPI is finalised when the program ends. Other ranks may still wait for the rank that has thrown.
bool ProgramGuard::finalizes() {
    if (::getpid() != process_) return false;    // in a forked child, the library would wait for ever
    if (region_ && region_->isOver() && PythonProgram::isEnding()) conclude(nullptr);    // the process may end by a signal afterwards
    if (failedStatus_) return false;
    if (!region_) return true;
    if (PythonProgram::endsWithUnknownStatus() || std::uncaught_exceptions() > 0) isPutOff_ = true;
    if (failedStatus_ || isPutOff_ || region_->isOver()) return false;
    if (!region_->succeed()) return false;    // a destructor calls MPI_Finalize: nothing is thrown
    endRegion();
    RollCaller::noteFinalized();
    return true;
}

/// Notes that the program ends, by exit() or by returning from main(). Its handlers may still finalise MPI in order. When they do not, or
/// wait in vain, that end is the failure.
void ProgramGuard::noteExitCall(int status) noexcept {
    if (::getpid() != process_ || std::this_thread::get_id() != thread_ || isAborting_ || !region_) return;
    pmpi::ExitOfProgram exit;
    if (!region_->isOver() && !region_->exitFailure() && visibleExitStatus(status) != exitStatus::success) {
        exit.failure = endInTheMiddle(visibleExitStatus(status), meetingPlace_->rank());
        exit.notice = noticeOf(exit.failure);
    }
    if (exit.failure || !region_->exitFailure()) region_->noteExit(std::move(exit));
}

void ProgramGuard::noteQuickExitCall(int status) noexcept {
    endStatus_ = visibleExitStatus(status);
    noteExitCall(status);
}

/// Handles exit(), after the exit handlers of the program have run. Destructors of static objects may still finalise MPI. A Python program
/// has none, and its interpreter has ended.
void ProgramGuard::noteExit(int status) {
    if (::getpid() != process_) return;
    endStatus_ = visibleExitStatus(status);
    const bool isThread = std::this_thread::get_id() == thread_;
    const bool hasObjects = endStatus_ == exitStatus::success || !PythonProgram::isRunning();
    const bool mayFinalize = isThread && region_ && !region_->isOver() && hasObjects;
    if (!mayFinalize || isPutOff_ || isAborting_) RollCaller::end();
    if (isAborting_) return;
    if (!isThread) return DeathNotice::tellExit("exit", status);
    if (isPutOff_ && status == exitStatus::success) return finishLate();
    if (region_ && !mayFinalize) tellAtEnd(region_->isOver() ? nullptr : endOfProgram());
    int isInitialized = 0;
    PMPI_Initialized(&isInitialized);
    if (isInitialized != 0 && !wasSeen_)
        fmt::print(stderr,
                   "ferry: this program was not guarded: its calls of MPI do not go through the guard (Fortran, or another library that "
                   "stands before MPI)\n");
}

/// The failure of a rank that ends in the middle of MPI.
std::exception_ptr ProgramGuard::endOfProgram() const {
    return region_->exitFailure() ? region_->exitFailure() : endInTheMiddle(endStatus_, meetingPlace_->rank());
}

/// Tells the failures of all ranks. The region lives on: handlers of exit() and static objects may call MPI, where nobody would answer.
void ProgramGuard::tellAtEnd(const std::exception_ptr& thrown) noexcept {
    if (!failedStatus_) tell(thrown);
    noteExitCall(*failedStatus_);
    std::fflush(nullptr);
}

void ProgramGuard::endBehindObjects() noexcept {
    if (process_ == 0 || ::getpid() != process_ || std::this_thread::get_id() != thread_ || isAborting_) return;
    RollCaller::end();
    int isFinalized = 0;
    PMPI_Finalized(&isFinalized);
    if (isFinalized != 0) return;
    if (region_) conclude(region_->isOver() ? nullptr : endOfProgram());
    if (failedStatus_) endMpi();
}

void ProgramGuard::endBehindLibraries() noexcept {
    if (::getpid() != process_ || !failedStatus_ || *failedStatus_ == endStatus_) return;
    std::fflush(nullptr);
    ::_exit(*failedStatus_);
}

/// Handles quick_exit(), after the handlers of the program for it. The handlers of exit() do not run.
void ProgramGuard::endQuickly() noexcept {
    if (::getpid() != process_ || std::this_thread::get_id() != thread_ || isAborting_) return;
    if (region_) conclude(region_->isOver() ? nullptr : endOfProgram());
    if (!failedStatus_) return;
    int isFinalized = 0;
    PMPI_Finalized(&isFinalized);
    if (isFinalized == 0) endMpi();
    std::fflush(nullptr);
    ::_exit(*failedStatus_);
}

/// Handles the end of the thread of main(). In a region nobody is left who could finalise MPI: the rank has failed, and the process exits.
/// Outside of a region the other threads of the program go on. A thread of the guard would keep the process from ending behind them.
void ProgramGuard::noteEndOfThread() noexcept {
    if (::getpid() != process_ || isAborting_) return;
    if (region_) {
        const ThrowRecordingPause pause;    // the stack is unwound
        conclude(std::make_exception_ptr(UsageError(pmpi::endOfThreadText(meetingPlace_->rank()))));
    }
    if (failedStatus_) std::exit(*failedStatus_);
    RollCaller::end();
}

/// Handles MPI_Abort: the report comes first. In a region that has failed already, the job ends with the status of the failure. Otherwise
/// the call is itself the failure. Returns where MPI may abort as ever.
void ProgramGuard::abort(int status) noexcept {
    if (::getpid() != process_ || isAborting_) return;
    isAborting_ = true;
    if (region_ && !failedStatus_) {
        region_->hasten(timeForAbort);
        conclude(region_->isOver() ? nullptr : abortion(status, meetingPlace_->rank()));
    }
    if (!failedStatus_) return;
    pmpi::abortJob(*failedStatus_);
}

/// Handles std::terminate in the region, for exceptions that cannot leave their thread or a function. The report comes first. A thread that
/// was woken cannot hand the failure on: the job is ended by force. Otherwise the process ends as ever. Without an exception, DeathNotice
/// tells the cause.
void ProgramGuard::noteTerminate() noexcept {
    if (::getpid() != process_ || !region_ || failedStatus_ || isAborting_) return;
    const std::exception_ptr thrown = std::current_exception();
    if (!thrown) return;
    const bool isWoken = Thrown(thrown).as<RegionFailed>() != nullptr;
    if (isWoken && std::this_thread::get_id() == thread_) return;    // in a function that no exception can leave: see HeldBack
    isAborting_ = true;
    DeathNotice::stop();
    if (!isWoken && !RollCaller::isFirstToTell()) {
        fmt::print(stderr, "ferry: std::terminate was called on rank {}, too: {}\n", meetingPlace_->rank(), printable(noticeOf(thrown)));
        RollCaller::awaitTold();
        return;
    }
    if (!isWoken) {
        const bool isInCleanUp = region_->isOver();
        if (isInCleanUp)
            fmt::print(stderr, "ferry: rank {} has failed: {}\n", meetingPlace_->failedRank(),
                       printable(meetingPlace_->failedText(), Lines::Several));
        JobReport(exitStatus::signalBase + SIGABRT, {thrown},
                  fmt::format("std::terminate was called on rank {}{}", meetingPlace_->rank(),
                              isInCleanUp ? ", in its clean-up after that failure" : ""))
            .print();
        RollCaller::noteTold();
        return;
    }
    std::this_thread::sleep_for(std::min(meetingPlace_->rank(), mostDelayed) * delayOfRank);    // one rank speaks
    endByForce(*region_, fmt::format("a thread of rank {} has no handler for that", meetingPlace_->rank()));
}

/// Ends this rank, which calls MPI again and again after the failure: its program catches the failure and goes on, or a destructor repeats
/// a call. The ranks end in order, with the report. Another thread than that of main() cannot end the process in order.
void ProgramGuard::endGoingOn() noexcept {
    if (::getpid() != process_ || isAborting_) return;
    const std::string why = fmt::format("rank {} goes on to call MPI after the failure", meetingPlace_->rank());
    if (std::this_thread::get_id() != thread_) endByForce(*region_, why);
    if (RollCaller::isFirstToTell()) {
        fmt::print(stderr, "ferry: {}: its program is ended there\n", why);
        RollCaller::noteTold();
    }
    RollCaller::end();
    conclude(failedStatus_ ? nullptr : untoldFailure());
    endMpi();
    std::fflush(nullptr);
    ::_exit(*failedStatus_);
}

/// The failure of this rank that the region itself does not know; null: there is none, or another rank has failed. The exception may still
/// be on its way to main().
std::exception_ptr ProgramGuard::untoldFailure() const {
    const pmpi::Region& region = *region_;
    if (thrown_ || !region.hasFailedItself()) return thrown_;
    if (region.withheld() || region.mismatch() || region.deadlock() || region.ended() || region.missed()) return nullptr;
    if (auto leaving = leavingMain(region)) return leaving;
    return std::make_exception_ptr(Terminated(region.meetingPlace().failedText(), exitStatus::exception));
}

/// Ends the region after a failure; `thrown` is this rank's failure, if any. An error in here ends the process, and so the job.
void ProgramGuard::conclude(const std::exception_ptr& thrown) noexcept {
    pmpi::endSignal = 0;    // the job ends
    const std::string passed = passedCallsText(*region_);
    if (connectsProcesses(region_->passedCalls())) launcherLine_.forget();
    if (!failedStatus_) tell(thrown);
    endRegion();
    std::fflush(nullptr);
    // When this call returns, rank 0 has printed its report.
    const int wish = passed.empty() ? meetingPlace_->size() : meetingPlace_->rank();
    int speaker = wish;
    pmpi::must(PMPI_Allreduce(&wish, &speaker, 1, MPI_INT, MPI_MIN, meetingPlace_->own()), "MPI_Allreduce");
    if (speaker == meetingPlace_->rank()) std::fputs(passed.c_str(), stderr);
    mayFinalize_ = speaker == meetingPlace_->size();
}

/// Collects the failures of all ranks, and reports them. Calls of MPI then still return as in a failed region.
void ProgramGuard::tell(const std::exception_ptr& thrown) noexcept {
    if (thrown) thrown_ = thrown;
    if (thrown) region_->failHere(noticeOf(thrown));
    assemble();
    std::vector<FailureRecord> failures = pmpi::endRegion(*region_, *meetingPlace_, thrown_);
    const ThrowRecordingPause pause;
    const ExceptionList list(std::move(failures));
    const std::exception_ptr told = list.size() == 1 ? list.front().exception() : std::make_exception_ptr(list);
    failedStatus_ = exitStatusOf(told);
    DeathNotice::endWith(*failedStatus_);
    if (meetingPlace_->rank() == 0) JobReport(*failedStatus_, {told}).print();
    pmpi::must(PMPI_Barrier(meetingPlace_->own()), "MPI_Barrier");    // a rank that ends may take the others with it
}

/// Finalises MPI for a program whose call of MPI_Finalize was put off, and that has ended well. When other ranks wait for this rank, its
/// early end is the failure; for a script it is the exception that the script has told.
void ProgramGuard::finishLate() {
    isPutOff_ = false;
    if (!region_->isOver() && !PythonProgram::isRunning()) {
        pmpi::ExitOfProgram exit;
        exit.failure = endInTheMiddle(exitStatus::success, meetingPlace_->rank());
        exit.notice = noticeOf(exit.failure);
        region_->noteExit(std::move(exit));
    }
    if (!region_->isOver() && region_->succeed()) {
        endRegion();
        pmpi::MeetingPlace::closeAll();
        pmpi::must(PMPI_Finalize(), "MPI_Finalize");
        launcherLine_.sayGoodbye();
    } else {
        noteExit(exitStatus::success);
    }
}

/// Ends MPI after a failure. Launchers kill all other ranks when one ends without MPI_Finalize. If no rank may call MPI_Finalize, all
/// ranks end together. A function of an attribute of the program may throw in MPI_Finalize: then the process ends at once.
void ProgramGuard::endMpi() {
    if (mayFinalize_) {
        pmpi::MeetingPlace::closeAll();
        try {
            pmpi::must(PMPI_Finalize(), "MPI_Finalize");
        } catch (...) {
            std::fflush(nullptr);
            ::_exit(*failedStatus_);
        }
    } else {
        meetForTheEnd();
    }
    launcherLine_.sayGoodbye();
}

/// Ends what belongs to the region in this process.
void ProgramGuard::endRegion() noexcept {
    region_.reset();
    DeathNotice::stop();
    EndSignals::stop();
}

void ProgramGuard::meetForTheEnd() {
    MPI_Request meeting = MPI_REQUEST_NULL;
    pmpi::must(PMPI_Ibarrier(meetingPlace_->own(), &meeting), "MPI_Ibarrier");
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

/// Waits until all ranks have left the program, for a limited time: a clean-up may wait for ever. A rank whose program calls MPI_Abort does
/// not wait for long.
void ProgramGuard::assemble() {
    MPI_Request assembly = MPI_REQUEST_NULL;
    pmpi::must(PMPI_Ibarrier(meetingPlace_->own(), &assembly), "MPI_Ibarrier");
    const std::chrono::milliseconds patience = patienceOfEnvironment();
    const std::chrono::milliseconds limit =
        isAborting_ ? std::min<std::chrono::milliseconds>(timeForEnds, patience) : patiencesForCleanUp * patience;
    // Several ranks may wait here: the first of them speaks, and a rank that has failed itself knows most.
    const auto delay = std::min(meetingPlace_->rank(), mostDelayed) * delayOfRank +
                       (isAborting_ || region_->hasFailedItself() ? std::chrono::milliseconds(0) : timeForAbort);
    const auto end = std::chrono::steady_clock::now() + limit + delay;
    for (int haveAllCome = 0; haveAllCome == 0;) {
        pmpi::must(PMPI_Test(&assembly, &haveAllCome, MPI_STATUS_IGNORE), "MPI_Test");
        if (haveAllCome != 0) return;
        if (isAborting_ && std::chrono::steady_clock::now() > end)
            endByForce(*region_, fmt::format("rank {} has called MPI_Abort, and not all other ranks have ended", meetingPlace_->rank()));
        if (std::chrono::steady_clock::now() > end)
            endByForce(*region_, fmt::format("not all other ranks have left their programs within {} after the failure", limit));
        std::this_thread::sleep_for(endLook);
    }
}

/// Reports the failure and ends the job. This rank's own failure is told whole, others as far as their notices hold them.
void ProgramGuard::endByForce(const pmpi::Region& region, const std::string& why) const noexcept {
    int status = exitStatus::exception;
    std::exception_ptr own = thrown_;
    if (!own) own = leavingMain(region);
    if (!own && region.ended()) own = std::make_exception_ptr(*region.ended());
    if (own) {
        status = exitStatusOf(own);
        JobReport(status, {own}, why).print();
    } else {
        const std::string& thrown = region.meetingPlace().failedText();
        fmt::print(stderr, "ferry: rank {} has failed: {}\nferry: {}: the job is ended by force\n", region.meetingPlace().failedRank(),
                   thrown.empty() ? "for an unknown reason" : printable(thrown, Lines::Several), why);
    }
    std::fputs(passedCallsText(region).c_str(), stderr);
    DeathNotice::stop();    // the report is out
    pmpi::abortJob(status);
}

}    // namespace ferry::detail

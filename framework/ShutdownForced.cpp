// The end of a job that cannot end in order.
#include <ferry/framework/Shutdown.hpp>

#include <unistd.h>
#include <atomic>
#include <new>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/message/insist.hpp>
#include <ferry/framework/EndMarker.hpp>
#include <ferry/framework/ExitStatus.hpp>
#include <ferry/framework/JobReport.hpp>
#include <ferry/framework/LastWords.hpp>
#include <ferry/framework/ProcessEnd.hpp>
#include <ferry/framework/ifMemory.hpp>

namespace ferry {

namespace {

// Ranks that are threads of one process may lose patience at the same time. Only one of them may report.
std::atomic<bool> isForcedEndBegun{false};

[[noreturn]] void restForEver() {
    for (;;) pause();
}

}    // namespace

void Shutdown::giveUp(const Failures& failures, const std::string& explanation) {
    ifMemory([&] {
        failures_ = failures;
        if (failures_.empty()) failures_.push_back(std::make_exception_ptr(Terminated(explanation, exitStatus::exception)));
    });
    exitStatus_ = exitStatus::exception;
    ifMemory([this] {
        if (!failures_.empty()) exitStatus_ = exitStatusOf(failures_.front());
    });
    forceEnd(explanation);
}

void Shutdown::forceEnd(const std::string& explanation) {
    Transport& transport = connector_.mailbox().transport();
    // The ranks of a simulation run one at a time, and the process lives on after it.
    if (!transport.hasVirtualTime() && isForcedEndBegun.exchange(true)) restForEver();
    const int status = exitStatus_.value_or(exitStatus::exception);
    const std::exception_ptr cause = failures_.empty() ? nullptr : failures_.front();
    try {
        const JobReport report = insist([&] { return JobReport(status, failures_, explanation); });
        report.printAtOnce();
        report.save(settings_.reportPath);
    } catch (const std::bad_alloc&) {
        LastWords::say(connector_.rank(), "the job is ended by force, and there is no memory for its report", cause);
    }
    EndMarker::write(settings_.endMarkerPath, status, isLossFailure(cause));
    transport.abort(status);
    restForEver();
}

void Shutdown::endFromOutside(const JobReport& report, const ShutdownSettings& settings) {
    if (isForcedEndBegun.exchange(true)) restForEver();
    report.printAtOnce();
    report.save(settings.reportPath);
    EndMarker::write(settings.endMarkerPath, report.status(), report.isByLoss());
    ProcessEnd::now(report.status(), settings.endMarkerPath);
}

/// Ends the job without memory for an orderly end. Other ranks do not have to wait for this one.
void Shutdown::endWithoutMemory(const Failures& failures) {
    Transport& transport = connector_.mailbox().transport();
    if (!transport.hasVirtualTime() && isForcedEndBegun.exchange(true)) restForEver();
    LastWords::say(connector_.rank(), "there is no memory for an orderly end, the job is ended by force",
                   failures.empty() ? nullptr : failures.front());
    const int status = exitStatus_.value_or(exitStatus::success) != exitStatus::success ? *exitStatus_ : exitStatus::exception;
    EndMarker::write(settings_.endMarkerPath, status);
    transport.abort(status);
    restForEver();
}

}    // namespace ferry

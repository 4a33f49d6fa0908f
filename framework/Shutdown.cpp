#include <ferry/framework/Shutdown.hpp>

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/Report.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/message/ExceptionMessage.hpp>
#include <ferry/framework/ExitStatus.hpp>
#include <ferry/framework/Log.hpp>
#include <ferry/framework/Signals.hpp>

namespace ferry {

namespace {

using namespace std::chrono_literals;

bool isTermination(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Terminated&) {
        return true;
    } catch (...) {
        return false;
    }
}

std::string textOf(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& known) {
        return known.what();
    } catch (...) {
        return "an exception that is no std::exception";
    }
}

} // namespace

Shutdown::Shutdown(Connector& connector, std::chrono::milliseconds grace)
    : connector_(connector), grace_(grace), hasLeft_(static_cast<std::size_t>(connector.size()), false) {
    if (connector_.isMaster()) listenAsMaster();
    connector_.mailbox().onControl(MessageKind::Stop, [this](const Letter& letter) { exitStatus_ = letter.envelope.number; });
    connector_.mailbox().onIdle([this] { checkSignal(); });
}

void Shutdown::listenAsMaster() {
    connector_.mailbox().onControl(MessageKind::Report, [this](const Letter& letter) {
        IntReader in(letter.body(), connector_.factory());
        ExceptionMessage message;
        message.readFromInts(in);
        addFailure(message.rebuild(connector_.factory()));
    });
    connector_.mailbox().onControl(MessageKind::Left, [this](const Letter& letter) {
        if (hasLeft_[static_cast<std::size_t>(letter.from)]) return;
        hasLeft_[static_cast<std::size_t>(letter.from)] = true;
        ++leftCount_;
    });
}

void Shutdown::checkSignal() {
    const int signal = Signals::take();
    if (signal == 0 || isOver_) return;
    const auto stopped = std::make_exception_ptr(Terminated(Signals::nameOf(signal), exitStatus::signalBase + signal));
    if (connector_.isMaster()) {
        addFailure(stopped);
    } else {
        reportToMaster(stopped);
    }
}

/// On the master: a failure of any rank. The first one stops the job; what a rank says later because it was stopped is no failure.
void Shutdown::addFailure(const std::exception_ptr& failure) {
    if (!failures_.empty() && isTermination(failure)) return;
    failures_.push_back(failure);
    if (failures_.size() > 1) return;
    stopAll(failure, exitStatusOf(failure), textOf(failure));
}

void Shutdown::stopAll(std::exception_ptr cause, int exitStatus, const std::string& reason) {
    if (!exitStatus_ || *exitStatus_ == exitStatus::success) exitStatus_ = exitStatus;
    for (int rank = 1; rank < connector_.size(); ++rank)
        connector_.mailbox().post(rank, Channel::Control, Envelope{MessageKind::Stop, 0, *exitStatus_}, [&](IntWriter& out) { out << reason; });
    connector_.mailbox().stop(std::move(cause));
}

void Shutdown::reportToMaster(const std::exception_ptr& failure) {
    const ExceptionMessage message(failure);
    connector_.mailbox().post(0, Channel::Control, Envelope{MessageKind::Report, 0, 0}, [&](IntWriter& out) { message.writeToInts(out); });
}

int Shutdown::conduct(End end, const std::function<void()>& part) {
    std::exception_ptr failure;
    try {
        part();
    } catch (...) {
        failure = std::current_exception();    // the one place where what leaves a rank's program is caught
    }
    const int status = connector_.isMaster() ? endMaster(end, failure) : endSlave(failure);
    isOver_ = true;
    return status;
}

int Shutdown::endMaster(End end, std::exception_ptr failure) {
    // What the master throws because the job was stopped already is no failure of its own.
    if (failure && failures_.empty()) addFailure(failure);
    if (failures_.empty() && end == End::WithAll) waitForSlaves();
    if (failures_.empty()) {
        stopAll(std::make_exception_ptr(Terminated("it is done", exitStatus::success)), exitStatus::success, "it is done");
        waitForSlaves();
    }
    Mailbox& mailbox = connector_.mailbox();
    if (!failures_.empty() && !mailbox.pumpUntil([this] { return haveAllLeft(); }, Clock::now() + grace_)) {
        std::string silent;
        for (int rank = 1; rank < connector_.size(); ++rank) {
            if (!hasLeft_[static_cast<std::size_t>(rank)]) silent += fmt::format("{}{}", silent.empty() ? "" : ", ", rank);
        }
        forceEnd(fmt::format("rank {} did not stop within {} ms", silent, grace_.count()));
    }
    if (!failures_.empty()) printReport();
    return *exitStatus_;
}

/// Waits without a limit while nothing has failed, and says now and then who is waited for.
void Shutdown::waitForSlaves() {
    const auto isOver = [this] { return haveAllLeft() || !failures_.empty(); };
    while (!connector_.mailbox().pumpUntil(isOver, Clock::now() + 10s)) {
        for (int rank = 1; rank < connector_.size(); ++rank) {
            if (!hasLeft_[static_cast<std::size_t>(rank)]) log().info("waiting for rank {}, which still works", rank);
        }
    }
}

int Shutdown::endSlave(const std::exception_ptr& failure) {
    Mailbox& mailbox = connector_.mailbox();
    const bool isFailure = failure && !(exitStatus_ && isTermination(failure));
    if (isFailure) reportToMaster(failure);
    mailbox.post(0, Channel::Control, Envelope{MessageKind::Left, 0, 0}, [](IntWriter&) {});
    const auto isTold = [this] { return exitStatus_.has_value() && connector_.mailbox().transport().pendingSends() == 0; };
    const auto deadline = isFailure ? Clock::now() + grace_ : Clock::time_point::max();
    if (!mailbox.pumpUntil(isTold, deadline)) {
        failures_.push_back(failure);
        exitStatus_ = exitStatusOf(failure);
        forceEnd(fmt::format("the master (rank 0) did not answer within {} ms", grace_.count()));
    }
    return *exitStatus_;
}

int Shutdown::conductExit(int exitStatus) {
    if (isOver_) return exitStatus;
    isOver_ = true;
    const auto early = std::make_exception_ptr(
        Terminated(fmt::format("exit({}) was called on rank {}", exitStatus, connector_.rank()), exitStatus == 0 ? exitStatus::earlyExit : exitStatus));
    if (!connector_.isMaster()) return endSlave(early);
    if (exitStatus != 0) return endMaster(End::WithMaster, early);
    return endMaster(End::WithMaster, nullptr);
}

void Shutdown::forceEnd(const std::string& explanation) {
    printReport();
    fmt::print(stderr, "ferry: {}: the job is ended by force\n", explanation);
    connector_.mailbox().transport().abort(exitStatus_.value_or(exitStatus::exception));
}

void Shutdown::printReport() const {
    std::string text = fmt::format("ferry: the job was stopped, every rank exits with status {}\n", *exitStatus_);
    text += "  " + report(failures_.front()) + "\n";
    for (std::size_t i = 1; i < failures_.size(); ++i) text += "  also " + report(failures_[i]) + "\n";
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

} // namespace ferry

#include <ferry/serialization/exception/Origin.hpp>

#include <pthread.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <span>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/TaskScope.hpp>
#include <ferry/serialization/exception/stack/OriginLimits.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry {

namespace {

thread_local int rankOfThread = -1;
std::atomic<int> rankOfThisProcess{-1};

// The numbers of process and thread are kept, because asking the system takes longer than all else of a record. 0: not asked yet.
std::atomic<std::int32_t> keptProcess{0};
thread_local std::uint64_t keptThread = 0;

void forgetNumbers() noexcept {
    keptProcess.store(0, std::memory_order_relaxed);
    keptThread = 0;
}

/// Whether numbers may be kept. A process that fork() makes has other numbers, so it forgets those of its parent.
bool areNumbersKept() noexcept {
    static const bool isForgottenInChild = ::pthread_atfork(nullptr, nullptr, forgetNumbers) == 0;
    return isForgottenInChild;
}

std::int32_t numberOfThisProcess() noexcept {
    if (const std::int32_t known = keptProcess.load(std::memory_order_relaxed); known != 0) return known;
    const auto number = static_cast<std::int32_t>(::getpid());
    if (areNumbersKept()) keptProcess.store(number, std::memory_order_relaxed);
    return number;
}

std::string readHostName() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
    return name.data();
}

void writeText(IntWriter& out, const std::string& text) {
    out << (text.size() <= originLimits::textBytes ? text : text.substr(0, originLimits::textBytes));
}

std::string readText(IntReader& in) {
    const std::int32_t* where = in.cursor();
    std::string text;
    in >> text;
    if (text.size() > originLimits::textBytes)
        in.failAt(where, fmt::format("a text of at most {} bytes", originLimits::textBytes), static_cast<std::int64_t>(text.size()));
    return text;
}

std::size_t readCount(IntReader& in, std::size_t intsPerElement, std::size_t max) {
    const std::int32_t* where = in.cursor();
    const std::size_t count = in.readCount(intsPerElement);
    if (count > max) in.failAt(where, fmt::format("at most {} elements", max), static_cast<std::int64_t>(count));
    return count;
}

void writeContext(IntWriter& out, const std::vector<detail::ContextEntry>& context) {
    const std::size_t count = std::min(context.size(), originLimits::contextEntries);
    out.writeCount(count);
    for (const detail::ContextEntry& entry : std::span(context).first(count)) {
        writeText(out, entry.key);
        writeText(out, entry.value);
    }
}

void readContext(IntReader& in, std::vector<detail::ContextEntry>& context) {
    context.resize(readCount(in, 2, originLimits::contextEntries));
    for (detail::ContextEntry& entry : context) {
        entry.key = readText(in);
        entry.value = readText(in);
    }
}

void writeStack(IntWriter& out, const std::vector<detail::StackFrame>& stack) {
    const std::size_t count = std::min(stack.size(), originLimits::frames);
    out.writeCount(count);
    for (const detail::StackFrame& frame : std::span(stack).first(count)) {
        writeText(out, frame.function);
        writeText(out, frame.file);
        out << frame.line;
        writeText(out, frame.module);
        out << frame.offset;
    }
}

void readStack(IntReader& in, std::vector<detail::StackFrame>& stack) {
    stack.resize(readCount(in, 6, originLimits::frames));
    for (detail::StackFrame& frame : stack) {
        frame.function = readText(in);
        frame.file = readText(in);
        in >> frame.line;
        frame.module = readText(in);
        in >> frame.offset;
    }
}

}    // namespace

Origin Origin::here(const char* file, int line) {
    static const std::string& host = *new std::string(readHostName());    // never destroyed: exit() on one rank leaves the others at work
    using namespace std::chrono;
    Origin origin;
    origin.rank = rankOfThread >= 0 ? rankOfThread : detail::rankOfProcess();
    origin.host = host;
    origin.pid = numberOfThisProcess();
    origin.thread = detail::numberOfThisThread();
    origin.timeUs = duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
    origin.file = file;
    origin.line = line;
    if (const detail::TaskScope* task = detail::TaskScope::current()) {
        origin.task = task->className();
        origin.taskNumber = task->number();
    }
    origin.context = detail::activeContext();
    return origin;
}

void Origin::writeToInts(IntWriter& out) const {
    out << rank << host << pid << thread << timeUs << file << line << task << taskNumber;
    writeContext(out, context);
    writeStack(out, stack);
}

void Origin::readFromInts(IntReader& in) {
    in >> rank >> host >> pid >> thread >> timeUs >> file >> line >> task >> taskNumber;
    readContext(in, context);
    readStack(in, stack);
}

namespace detail {

void setRankOfThisThread(int rank) noexcept { rankOfThread = rank; }

int rankOfThisThread() noexcept { return rankOfThread; }

void setRankOfProcess(int rank) noexcept { rankOfThisProcess.store(rank, std::memory_order_relaxed); }

int rankOfProcess() noexcept { return rankOfThisProcess.load(std::memory_order_relaxed); }

std::uint64_t numberOfThisThread() noexcept {
    if (keptThread != 0) return keptThread;
    const auto number = detail::platform::threadNumber();
    if (areNumbersKept()) keptThread = number;
    return number;
}

std::string describe(const Origin& origin) {
    std::string text = origin.rank >= 0 ? fmt::format("rank {}", origin.rank) : "unknown rank";
    if (!origin.host.empty()) text += fmt::format(" (host {}, pid {})", origin.host, origin.pid);
    if (!origin.file.empty()) {
        text += " at " + origin.file.substr(origin.file.find_last_of('/') + 1);
        if (origin.line > 0) text += fmt::format(":{}", origin.line);
    }
    return text;
}

}    // namespace detail

}    // namespace ferry

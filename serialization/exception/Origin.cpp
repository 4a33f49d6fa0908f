#include <ferry/serialization/exception/Origin.hpp>

#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>

namespace ferry {

namespace {

thread_local int rankOfThread = -1;

std::string readHostName() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
    return name.data();
}

std::uint64_t threadNumber() {
    static thread_local const auto number = static_cast<std::uint64_t>(::syscall(SYS_gettid));
    return number;
}

}    // namespace

Origin Origin::here(const char* file, int line) {
    static const std::string host = readHostName();
    using namespace std::chrono;
    Origin origin;
    origin.rank = rankOfThread;
    origin.host = host;
    origin.pid = static_cast<std::int32_t>(::getpid());
    origin.thread = threadNumber();
    origin.timeUs = duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
    origin.file = file;
    origin.line = line;
    return origin;
}

void Origin::writeToInts(IntWriter& out) const { out << rank << host << pid << thread << timeUs << file << line; }

void Origin::readFromInts(IntReader& in) { in >> rank >> host >> pid >> thread >> timeUs >> file >> line; }

void setRankOfThisThread(int rank) noexcept { rankOfThread = rank; }

int rankOfThisThread() noexcept { return rankOfThread; }

std::string describe(const Origin& origin) {
    std::string text = origin.rank >= 0 ? fmt::format("rank {}", origin.rank) : "unknown rank";
    if (!origin.host.empty()) text += fmt::format(" (host {}, pid {})", origin.host, origin.pid);
    if (!origin.file.empty()) {
        text += " at " + origin.file.substr(origin.file.find_last_of('/') + 1);
        if (origin.line > 0) text += fmt::format(":{}", origin.line);
    }
    return text;
}

}    // namespace ferry

// A program that knows nothing of Ferry, and whose ranks repeat tests and probes that find nothing. The argument selects what happens.
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include <unistd.h>

#include <mpi.h>

#include <ferry/tests/guard/preload/PlainMpi.hpp>

namespace {

int next() { return (rank + 1) % size; }

/// A receive of a number from the next rank.
struct Receive {
    explicit Receive(int tag) { MPI_Irecv(&value, 1, MPI_INT, next(), tag, MPI_COMM_WORLD, &request); }
    Receive(const Receive&) = delete;
    Receive& operator=(const Receive&) = delete;
    bool isOver() {
        int isDone = 0;
        MPI_Test(&request, &isDone, MPI_STATUS_IGNORE);
        return isDone != 0;
    }
    /// Takes the receive back if it is not over.
    void drop() {
        if (request == MPI_REQUEST_NULL) return;
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
};

bool hasCome(int source, int tag) {
    int isThere = 0;
    MPI_Iprobe(source, tag, MPI_COMM_WORLD, &isThere, MPI_STATUS_IGNORE);
    return isThere != 0;
}

/// Runs the test on the last rank until it succeeds, while the others wait for that rank.
void repeatOnLast(const std::function<bool()>& test) {
    const Witness witness;
    if (isLast()) {
        while (!test()) {}
    }
    sayDone();
}

/// The computing time of this thread.
std::clock_t computed() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / 1000;
}

void computeMillis(int millis) {
    const std::clock_t end = computed() + millis * CLOCKS_PER_SEC / 1000;
    while (computed() < end) {}
}

bool isFileThere() {
    const char* path = std::getenv("AWAITED_FILE");
    return path != nullptr && ::access(path, F_OK) == 0;
}

const std::map<std::string, std::function<void()>>& programs() {
    static const std::map<std::string, std::function<void()>> all{
        {"repeatsTest",
         [] {
             Receive receive(11);
             repeatOnLast([&] { return receive.isOver(); });
         }},
        {"repeatsProbe", [] { repeatOnLast([] { return hasCome(next(), 11); }); }},
        {"repeatsProbeEverywhere",
         [] {
             const Witness witness;
             while (!hasCome(MPI_ANY_SOURCE, 11)) {}
         }},
        {"repeatsManyTestsEverywhere",    // with pauses, by several functions, and with requests that are over
         [] {
             const Witness witness;
             std::array<Receive, 2> receives{Receive(11), Receive(12)};
             Receive another(13);
             MPI_Request nothing = MPI_REQUEST_NULL;
             for (int isDone = 0; isDone == 0;) {
                 std::array<MPI_Request, 2> requests{receives[0].request, receives[1].request};
                 MPI_Testall(2, requests.data(), &isDone, MPI_STATUSES_IGNORE);
                 int isEmpty = 0;
                 MPI_Test(&nothing, &isEmpty, MPI_STATUS_IGNORE);
                 if (isDone == 0) MPI_Request_get_status(another.request, &isDone, MPI_STATUS_IGNORE);
                 if (isDone == 0 && hasCome(MPI_ANY_SOURCE, 14)) break;
                 std::this_thread::sleep_for(std::chrono::milliseconds(1));
             }
         }},
        {"repeatsProbeUntilFileIsThere", [] { repeatOnLast([] { return hasCome(next(), 11) || isFileThere(); }); }},
        {"computesBetweenTests",
         [] {
             Receive receive(11);
             int count = 0;
             repeatOnLast([&] {
                 computeMillis(3);
                 return receive.isOver() || ++count == 300;
             });
             receive.drop();
         }},
        {"testsWhileAThreadComputes",
         [] {
             Receive receive(11);
             std::atomic<bool> isReady{false};
             std::thread helper([&] {
                 if (isLast()) computeMillis(1000);
                 isReady = true;
             });
             repeatOnLast([&] { return receive.isOver() || isReady; });
             helper.join();
             receive.drop();
         }},
        {"talksBetweenTests",    // other calls of MPI end each spell of tests
         [] {
             Receive receive(11);
             for (int round = 0; round < 300; ++round) {
                 for (int test = 0; test < 20; ++test) receive.isOver();
                 std::this_thread::sleep_for(std::chrono::milliseconds(2));
                 MPI_Barrier(MPI_COMM_WORLD);
             }
             receive.drop();
             sayDone();
         }},
    };
    return all;
}

}    // namespace

int main(int argc, char** argv) {
    const auto found = programs().find(argc == 2 ? argv[1] : "");
    if (found == programs().end()) return 64;
    const Mpi mpi;
    found->second();
    return 0;
}

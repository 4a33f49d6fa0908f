// A program that knows nothing of Ferry: ranks pass numbers around a ring and add them up.
// The argument selects the fault. The last rank is the one that fails.
#include <poll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <mpi.h>

namespace {

int rank = 0;
int size = 0;

/// Prints a line when its destructor runs.
struct Witness {
    ~Witness() {
        std::printf("rank %d unwound\n", rank);
        std::fflush(stdout);
    }
};

class Mpi {
public:
    explicit Mpi(int threads = MPI_THREAD_SINGLE) {
        int provided = 0;
        const char* wish = std::getenv("THREAD_LEVEL");
        if (wish != nullptr) threads = wish == std::string("single") ? MPI_THREAD_SINGLE : MPI_THREAD_FUNNELED;
        MPI_Init_thread(nullptr, nullptr, threads, &provided);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }
    Mpi(const Mpi&) = delete;
    Mpi& operator=(const Mpi&) = delete;
    ~Mpi() { MPI_Finalize(); }
};

bool isLast() { return rank == size - 1; }

/// Sends values around a ring, and computes a sum over all ranks.
void step(int round) {
    std::vector<double> halo(100, rank + round);
    std::vector<double> other(100);
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(other.data(), 100, MPI_DOUBLE, (rank + size - 1) % size, 7, MPI_COMM_WORLD, requests.data());
    MPI_Isend(halo.data(), 100, MPI_DOUBLE, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    double sum = 0;
    MPI_Allreduce(other.data(), &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (sum != size * (size - 1) / 2 + size * round) std::printf("rank %d: wrong sum %g in round %d\n", rank, sum, round);
}

/// Runs twenty rounds. In the tenth round, the last rank calls trouble().
void compute(const std::function<void()>& trouble = [] {}) {
    const Witness witness;
    for (int round = 0; round < 20; ++round) {
        if (round == 10 && isLast()) trouble();
        step(round);
    }
    if (rank == 0) std::printf("all rounds done\n");
}

void overheat() { throw std::domain_error("the plate is too hot"); }

/// Makes a call that the guard does not support.
void placeOnARing() {
    const int isPeriodic = 1;
    int place = -1;
    MPI_Cart_map(MPI_COMM_WORLD, 1, &size, &isPeriodic, &place);
    if (place < 0 || place >= size) std::printf("rank %d: wrong place %d\n", rank, place);
}

void pause(int seconds) { std::this_thread::sleep_for(std::chrono::seconds(seconds)); }

void receiveFromNext() {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// Sends to all ranks from the last one, after two seconds.
void sendLate() {
    pause(2);
    for (int to = 0; to < size && isLast(); ++to) MPI_Send(&rank, 1, MPI_INT, to, 9, MPI_COMM_WORLD);
}

void receiveLate() {
    int received = -1;
    MPI_Recv(&received, 1, MPI_INT, size - 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) std::printf("all rounds done\n");
}

struct Communicator {
    ~Communicator() { MPI_Comm_free(&handle); }
    MPI_Comm handle = MPI_COMM_NULL;
};

/// Waits until the file that the environment names is there, in no call of MPI.
void awaitFile() {
    std::printf("the last rank waits\n");
    std::fflush(stdout);
    const char* const path = std::getenv("AWAITED_FILE");
    while (path != nullptr && ::access(path, F_OK) != 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

/// Waits as awaitFile() does, in system calls that a signal ends early, and handles SIGUSR1 itself.
void awaitFileInSystemCalls() {
    static volatile std::sig_atomic_t ownSignals = 0;
    std::signal(SIGUSR1, [](int) { ownSignals = ownSignals + 1; });
    std::printf("the last rank waits\n");
    std::fflush(stdout);
    const char* const path = std::getenv("AWAITED_FILE");
    pollfd nothing{-1, POLLIN, 0};
    const timespec second{1, 0};
    for (int turn = 0; path != nullptr && ::access(path, F_OK) != 0; ++turn) {
        bool isWhole = false;
        switch (turn % 4) {
            case 0: isWhole = ::sleep(1) == 0; break;
            case 1: isWhole = ::poll(&nothing, 0, 1000) == 0; break;
            case 2: isWhole = ::nanosleep(&second, nullptr) == 0; break;
            default: {
                timeval limit{1, 0};
                isWhole = ::select(0, nullptr, nullptr, nullptr, &limit) == 0;
            }
        }
        if (!isWhole) std::printf("wrong: wait %d has ended early\n", turn % 4);
    }
    std::raise(SIGUSR1);
    ::kill(::getpid(), SIGUSR1);
    std::printf("own signals: %d\n", static_cast<int>(ownSignals));
}

/// Makes communicators by calls that the guard does not support, and uses them. trouble(): called before the last exchange.
void useUnknownCommunicators(const std::function<void()>& trouble) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Barrier(copy);
    if (sum != size * (size - 1) / 2) std::printf("rank %d: wrong sum %d\n", rank, sum);
    Communicator half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half.handle);
    Communicator both;
    MPI_Intercomm_create(half.handle, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &both.handle);
    int received = -1;
    int halfRank = 0;
    MPI_Comm_rank(half.handle, &halfRank);
    MPI_Sendrecv(&rank, 1, MPI_INT, halfRank, 1, &received, 1, MPI_INT, halfRank, 1, both.handle, MPI_STATUS_IGNORE);
    if (received != (rank ^ 1)) std::printf("rank %d: wrong value %d\n", rank, received);
    MPI_Barrier(both.handle);
    Communicator merged;
    MPI_Intercomm_merge(both.handle, 0, &merged.handle);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged.handle);
    trouble();
    if (rank % 2 == 0) MPI_Recv(&received, 1, MPI_INT, halfRank, 2, both.handle, MPI_STATUS_IGNORE);
    if (rank % 2 == 1) MPI_Send(&rank, 1, MPI_INT, halfRank, 2, both.handle);
    MPI_Comm_free(&copy);
}

/// Passes numbers around a ring of ranks, many times.
void passAround(MPI_Comm communicator) {
    for (int round = 0; round < 200; ++round) {
        int received = -1;
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 3, &received, 1, MPI_INT, (rank + size - 1) % size, 3, communicator,
                     MPI_STATUS_IGNORE);
        int sum = 0;
        MPI_Allreduce(&received, &sum, 1, MPI_INT, MPI_SUM, communicator);
        if (sum != size * (size - 1) / 2) std::printf("rank %d: wrong sum %d beside another thread\n", rank, sum);
    }
}

/// A thread that waits for a message of its own rank, until its destructor sends it.
class WaitingThread {
public:
    WaitingThread()
        : thread_([] {
              int letter = 0;
              MPI_Recv(&letter, 1, MPI_INT, 0, 9, MPI_COMM_SELF, MPI_STATUS_IGNORE);
          }) {}
    WaitingThread(const WaitingThread&) = delete;
    WaitingThread& operator=(const WaitingThread&) = delete;
    ~WaitingThread() {
        const int letter = 1;
        MPI_Send(&letter, 1, MPI_INT, 0, 9, MPI_COMM_SELF);
        thread_.join();
    }

private:
    std::thread thread_;
};

/// Runs twenty rounds, each in a thread of its own.
void computeInThreads(const std::function<void()>& trouble = [] {}) {
    const Witness witness;
    for (int round = 0; round < 20; ++round) {
        const auto run = [&] {
            if (round == 10 && isLast()) trouble();
            step(round);
        };
        std::async(std::launch::async, run).get();
    }
    if (rank == 0) std::printf("all rounds done\n");
}

void crash() {
    volatile int* nothing = nullptr;
    *nothing = 1;
}

/// Calls itself for ever.
int depthOf(int depth) {
    std::array<volatile char, 10000> room{};
    room[0] = static_cast<char>(depth);
    return depthOf(depth + 1) + room[0];
}

void overheatNoexcept() noexcept { overheat(); }

/// Runs the program, and calls MPI_Abort for an exception.
int aborting(const std::function<void()>& program, int status) {
    try {
        program();
    } catch (const std::exception& error) {
        std::printf("rank %d has caught: %s\n", rank, error.what());
        std::fflush(stdout);
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    return 0;
}

void endSlowly() {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    std::printf("rank %d has ended slowly\n", rank);
    std::fflush(stdout);
}

void work(const std::function<void()>& trouble = [] {}) {
    const Mpi mpi;
    compute(trouble);
}

int catching(const std::function<void()>& program) {
    try {
        program();
        return 0;
    } catch (const std::exception& error) {
        std::printf("rank %d has caught: %s\n", rank, error.what());
        return 9;
    }
}

/// A file that its destructor closes.
class File {
public:
    File() {
        const std::string name = "plainProgram." + std::to_string(size) + ".out";
        MPI_File_open(MPI_COMM_WORLD, name.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file_);
        MPI_File_write_at_all(file_, static_cast<MPI_Offset>(sizeof rank) * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { MPI_File_close(&file_); }

private:
    MPI_File file_ = MPI_FILE_NULL;
};

/// A window that its destructor frees.
class Window {
public:
    Window() {
        constexpr int count = 64;    // with a few bytes only, MPICH 4.0.2 gives wrong data
        MPI_Win_allocate(count * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, static_cast<void*>(&memory_), &window_);
        *memory_ = -1;
        MPI_Barrier(MPI_COMM_WORLD);    // other ranks may put data from here on
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window() { MPI_Win_free(&window_); }

    void putAround() {
        MPI_Win_fence(0, window_);
        put();
        MPI_Win_fence(0, window_);
        check();
    }
    /// reach(): called before each step.
    void putWithPosts(const std::function<void(int)>& reach = [](int) {}) {
        MPI_Group world = MPI_GROUP_NULL;
        MPI_Comm_group(MPI_COMM_WORLD, &world);
        reach(0);
        MPI_Win_post(world, 0, window_);
        reach(1);
        MPI_Win_start(world, 0, window_);
        put();
        reach(2);
        MPI_Win_complete(window_);
        MPI_Win_wait(window_);
        MPI_Group_free(&world);
        check();
    }

private:
    void put() { MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window_); }
    void check() {
        if (*memory_ != (rank + size - 1) % size) std::printf("rank %d: wrong value in the window\n", rank);
    }

    int* memory_ = nullptr;
    MPI_Win window_ = MPI_WIN_NULL;
};

/// Waits for the other ranks in its destructor.
class Barrier {
public:
    explicit Barrier(int count = 1) : count_(count) {}
    Barrier(const Barrier&) = delete;
    Barrier& operator=(const Barrier&) = delete;
    ~Barrier() {
        for (int i = 0; i < count_; ++i) MPI_Barrier(MPI_COMM_WORLD);
    }

private:
    int count_;
};

/// Puts numbers in epochs of MPI_Win_post. The last rank calls trouble() before a step.
int putting(int step, const std::function<void()>& trouble) {
    const Mpi mpi;
    const Witness witness;
    Window window;
    window.putWithPosts();
    window.putWithPosts([&](int reached) {
        if (reached == step && isLast()) trouble();
    });
    return 0;
}

using Program = std::function<int()>;

int workAnd(const std::function<void()>& trouble = [] {}) {
    work(trouble);
    return 0;
}

const std::map<std::string, Program>& programs() {
    static const std::map<std::string, Program> all{
        {"works", [] { return workAnd(); }},
        {"worksUnsupported",
         [] {
             const Mpi mpi;
             const File file;
             Window().putAround();
             placeOnARing();
             compute();
             return 0;
         }},
        {"worksFinalizedAtExit",
         [] {
             static const Mpi mpi;
             compute();
             return 0;
         }},
        {"worksWithManyCommunicators",
         [] {
             const Mpi mpi;
             for (int i = 0; i < 1000; ++i) {
                 MPI_Comm copy = MPI_COMM_NULL;
                 MPI_Comm_dup(MPI_COMM_WORLD, &copy);
                 int sum = 0;
                 MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
                 if (sum != size * (size - 1) / 2) std::printf("rank %d: wrong sum on copy %d\n", rank, i);
                 MPI_Comm_free(&copy);
             }
             compute();
             return 0;
         }},
        {"worksWithDisconnectedCommunicators",
         [] {
             const Mpi mpi;
             for (int i = 0; i < 1000; ++i) {
                 MPI_Comm copy = MPI_COMM_NULL;
                 MPI_Comm_dup(MPI_COMM_WORLD, &copy);
                 MPI_Barrier(copy);
                 MPI_Comm_disconnect(&copy);
             }
             compute();
             return 0;
         }},
        {"worksBesideChild",
         [] {
             const Mpi mpi;
             if (isLast()) {
                 const pid_t child = ::fork();
                 if (child == 0) overheat();
                 int status = 0;
                 ::waitpid(child, &status, 0);
                 if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT) std::printf("wrong end of the child: %d\n", status);
             }
             compute();
             return 0;
         }},
        {"throwsThreaded",
         [] {
             const Mpi mpi(MPI_THREAD_MULTIPLE);
             compute(overheat);
             return 0;
         }},
        {"forgetsTheEnd",
         [] {
             MPI_Init(nullptr, nullptr);
             return 0;
         }},
        {"exitsDifferently",
         [] {
             const Mpi mpi;
             std::exit(10 + rank);
             return 0;
         }},
        {"worksThreaded",
         [] {
             const Mpi mpi(MPI_THREAD_MULTIPLE);
             compute();
             return 0;
         }},
        {"worksWithThreadsInTurn",
         [] {
             const Mpi mpi(MPI_THREAD_SERIALIZED);
             computeInThreads();
             return 0;
         }},
        {"throwsWithThreadsInTurn",
         [] {
             const Mpi mpi(MPI_THREAD_SERIALIZED);
             computeInThreads(overheat);
             return 0;
         }},
        {"worksWithTwoThreads",
         [] {
             const Mpi mpi(MPI_THREAD_MULTIPLE);
             std::array<MPI_Comm, 2> copies{};
             for (MPI_Comm& copy : copies) MPI_Comm_dup(MPI_COMM_WORLD, &copy);
             const WaitingThread waiting;
             std::thread other([&] { passAround(copies[1]); });
             passAround(copies[0]);
             other.join();
             for (MPI_Comm& copy : copies) MPI_Comm_free(&copy);
             compute();
             return 0;
         }},
        {"throwsWithTwoThreads",
         [] {
             const Mpi mpi(MPI_THREAD_MULTIPLE);
             const WaitingThread waiting;
             compute(overheat);
             return 0;
         }},
        {"goesOnOneCallAhead",
         [] {
             const Mpi mpi;
             const Witness witness;
             double sum = 0;
             try {
                 if (isLast()) overheat();
                 const double mine = rank;
                 MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
             } catch (const std::domain_error&) {
                 sum = 0;
             }
             std::vector<double> table(5000, sum);
             MPI_Bcast(table.data(), 5000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
             MPI_Barrier(MPI_COMM_WORLD);
             return 0;
         }},
        {"waitsForASignal",
         [] {
             const Mpi mpi;
             const Witness witness;
             if (isLast()) std::printf("the last rank waits\n");
             std::fflush(stdout);
             if (isLast()) receiveFromNext();
             step(0);
             return 0;
         }},
        {"handlesASignal",
         [] {
             static volatile std::sig_atomic_t isAsked = 0;
             const Mpi mpi;
             std::signal(SIGINT, [](int) { isAsked = 1; });
             if (isLast()) std::printf("the last rank waits\n");
             std::fflush(stdout);
             for (int isOver = 0; isOver == 0; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
                 const int own = isAsked;
                 MPI_Allreduce(&own, &isOver, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
             }
             return 0;
         }},
        {"waitsInACircle",
         [] {
             const Mpi mpi;
             const Witness witness;
             step(0);
             receiveFromNext();
             return 0;
         }},
        {"waitsElsewhere",
         [] {
             const Mpi mpi;
             const Witness witness;
             MPI_Comm other = MPI_COMM_NULL;
             MPI_Comm_dup(MPI_COMM_WORLD, &other);
             const Communicator own{other};
             step(0);
             catching([] {
                 if (isLast()) overheat();
             });
             MPI_Barrier(isLast() ? other : MPI_COMM_WORLD);
             return 0;
         }},
        {"worksWhileARankComputes", [] { return workAnd([] { pause(2); }); }},
        {"worksWhileAThreadOfARankWillSend",
         [] {
             const Mpi mpi(MPI_THREAD_MULTIPLE);
             std::thread later(sendLate);
             receiveLate();
             later.join();
             return 0;
         }},
        {"worksWhileAThreadFromBeforeMpiWillSend",
         [] {
             std::promise<void> isBegun;
             std::thread later([begun = isBegun.get_future()] {
                 begun.wait();
                 sendLate();
             });
             const Mpi mpi(MPI_THREAD_MULTIPLE);
             isBegun.set_value();
             receiveLate();
             later.join();
             return 0;
         }},
        {"standsStill", [] { return workAnd([] { pause(3600); }); }},
        {"awaitsAFile", [] { return workAnd(awaitFile); }},
        {"awaitsAFileInSystemCalls", [] { return workAnd(awaitFileInSystemCalls); }},
        {"worksWithUnknownCommunicators",
         [] {
             const Mpi mpi;
             useUnknownCommunicators([] {});
             compute();
             return 0;
         }},
        {"waitsOnAnUnknownCommunicator",
         [] {
             const Mpi mpi;
             const Witness witness;
             MPI_Comm copy = MPI_COMM_NULL;
             MPI_Request request = MPI_REQUEST_NULL;
             MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
             MPI_Wait(&request, MPI_STATUS_IGNORE);
             int value = 0;
             MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 11, copy, MPI_STATUS_IGNORE);
             return 0;
         }},
        {"throwsBesideUnknownCommunicators",
         [] {
             const Mpi mpi;
             const Witness witness;
             useUnknownCommunicators([] {
                 if (isLast()) overheat();
             });
             return 0;
         }},
        {"endsAtOnce", [] { return workAnd([] { ::_exit(3); }); }},
        {"crashes", [] { return workAnd(crash); }},
        {"crashesAfterCaughtException",
         [] {
             return workAnd([] {
                 catching(overheat);
                 crash();
             });
         }},
        {"crashesWithHandler",
         [] {
             std::signal(SIGSEGV, [](int) { ::_exit(33); });
             return workAnd(crash);
         }},
        {"terminates", [] { return workAnd(overheatNoexcept); }},
        {"throwsInThread", [] { return workAnd([] { std::thread(overheat).join(); }); }},
        {"throwsWhileThreadsOfOthersWait",
         [] {
             const Mpi mpi(MPI_THREAD_SERIALIZED);
             if (isLast()) overheat();
             std::thread([] { MPI_Barrier(MPI_COMM_WORLD); }).join();
             return 0;
         }},
        {"aborts", [] { return aborting([] { work(overheat); }, 7); }},
        {"abortsInside",
         [] {
             const Mpi mpi;
             return aborting([] { compute(overheat); }, 7);
         }},
        {"abortsEverywhere",
         [] {
             const Mpi mpi;
             step(0);
             MPI_Abort(MPI_COMM_WORLD, 5);
             return 0;
         }},
        {"abortsWhileOthersCompute",
         [] {
             const Mpi mpi;
             step(0);
             if (isLast()) MPI_Abort(MPI_COMM_WORLD, 5);
             std::this_thread::sleep_for(std::chrono::hours(1));
             return 0;
         }},
        {"exitsAndOthersAbort", [] { return aborting([] { work([] { std::exit(3); }); }, 7); }},
        {"catchesInsideSerialized",
         [] {
             const Mpi mpi(MPI_THREAD_SERIALIZED);
             return catching([] { compute(overheat); });
         }},
        {"catchesInsideThreaded",
         [] {
             const Mpi mpi(MPI_THREAD_MULTIPLE);
             return catching([] { compute(overheat); });
         }},
        {"catchesAndWaitsForMessage",
         [] {
             const Mpi mpi;
             return catching([] {
                 if (isLast()) overheat();
                 int letter = 0;
                 MPI_Recv(&letter, 1, MPI_INT, size - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
             });
         }},
        {"worksAfterCaughtException",
         [] {
             const Mpi mpi;
             if (isLast()) catching(overheat);
             compute();
             if (!isLast()) std::this_thread::sleep_for(std::chrono::milliseconds(500));
             return 0;
         }},
        {"worksWithoutMpi",
         [] {
             std::printf("no MPI here\n");
             return 0;
         }},
        {"returnsStatus",
         [] {
             work();
             return 5;
         }},
        {"throws", [] { return workAnd(overheat); }},
        {"throwsAnInt", [] { return workAnd([] { throw 7; }); }},
        {"worksWithPosts",
         [] {
             const Mpi mpi;
             Window().putWithPosts();
             compute();
             return 0;
         }},
        {"throwsBeforePost", [] { return putting(0, overheat); }},
        {"throwsBeforeStart", [] { return putting(1, overheat); }},
        {"throwsBeforeComplete", [] { return putting(2, overheat); }},
        {"waitsBeforePost", [] { return putting(0, receiveFromNext); }},
        {"waitsBeforeComplete", [] { return putting(2, receiveFromNext); }},
        {"throwsUnsupported",
         [] {
             const Mpi mpi;
             placeOnARing();
             compute(overheat);
             return 0;
         }},
        {"throwsUnsupportedOnOneRank",
         [] {
             const Mpi mpi;
             if (isLast()) placeOnARing();
             compute(overheat);
             return 0;
         }},
        {"throwsUnsupportedAndEndsSlowly",
         [] {
             const Mpi mpi;
             placeOnARing();
             if (rank == 0) std::atexit([] { endSlowly(); });
             compute(overheat);
             return 0;
         }},
        {"throwsWithFileAndWindow",
         [] {
             const Mpi mpi;
             const File file;
             Window window;
             window.putAround();
             compute(overheat);
             return 0;
         }},
        {"throwsWhileOthersAreInDestructors",
         [] {
             const Mpi mpi;
             const Witness witness;
             for (int round = 0; round < 20; ++round) {
                 const Barrier barrier;
                 if (round == 10 && isLast()) overheat();
             }
             return 0;
         }},
        {"throwsWhileOthersStayInDestructors",
         [] {
             const Mpi mpi;
             const Barrier barrier(isLast() ? 1 : 1'000'000'000);
             if (isLast()) overheat();
             return 0;
         }},
        {"throwsEverywhere",
         [] {
             const Mpi mpi;
             step(0);
             overheat();
             return 0;
         }},
        {"throwsBeforeMpi",
         [] {
             overheat();
             return 0;
         }},
        {"throwsBehindMpi",
         [] {
             work();
             if (isLast()) overheat();
             return 0;
         }},
        {"catches", [] { return catching([] { work(overheat); }); }},
        {"catchesInside",
         [] {
             const Mpi mpi;
             return catching([] { compute(overheat); });
         }},
        {"swallows",
         [] {
             catching([] { work(overheat); });
             return 0;
         }},
        {"exits", [] { return workAnd([] { std::exit(3); }); }},
        {"overflowsItsStack", [] { return workAnd([] { std::printf("%d\n", depthOf(1)); }); }},
        {"exitsOnAThread", [] { return workAnd([] { std::thread([] { std::exit(3); }).join(); }); }},
        {"terminatesEverywhere",
         [] {
             const Mpi mpi;
             overheatNoexcept();
             return 0;
         }},
        {"exitsQuickly", [] { return workAnd([] { std::quick_exit(3); }); }},
        {"exitsWithSuccess", [] { return workAnd([] { std::exit(0); }); }},
        {"leaves",
         [] {
             MPI_Init(nullptr, nullptr);
             MPI_Comm_rank(MPI_COMM_WORLD, &rank);
             MPI_Comm_size(MPI_COMM_WORLD, &size);
             step(0);
             if (isLast()) return 0;
             compute();
             MPI_Finalize();
             return 0;
         }},
        {"throwsWhileOthersCompute",
         [] {
             const Mpi mpi;
             step(0);
             if (isLast()) overheat();
             std::this_thread::sleep_for(std::chrono::hours(1));
             return 0;
         }},
    };
    return all;
}

}    // namespace

int main(int argc, char** argv) {
    const auto found = programs().find(argc == 2 ? argv[1] : "");
    if (found == programs().end()) return 64;
    return found->second();
}

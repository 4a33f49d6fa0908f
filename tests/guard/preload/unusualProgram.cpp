// A program that knows nothing of Ferry, with communicators that are made later, intercommunicators, windows with locks, operators,
// calls of MPI at the end of the program, and ranks that do not end as they should.
// The argument selects what happens. The last rank is the one that fails.
#include <unistd.h>
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <mpi.h>
#if MPI_VERSION < 4 && defined(OPEN_MPI) && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define MPI_Allreduce_init MPIX_Allreduce_init
#endif

#include <ferry/tests/guard/preload/PlainMpi.hpp>

namespace {

void overheat() { throw std::domain_error("the plate is too hot"); }

struct Communicator {
    Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    ~Communicator() {
        if (handle != MPI_COMM_NULL) MPI_Comm_free(&handle);
    }
    MPI_Comm handle = MPI_COMM_NULL;
};

/// A communicator of all ranks, by MPI_Comm_idup.
struct Later : Communicator {
    Later() {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Comm_idup(MPI_COMM_WORLD, &handle, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
};

/// An intercommunicator between the even and the odd ranks.
struct Between : Communicator {
    Between() {
        Communicator half;
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half.handle);
        MPI_Intercomm_create(half.handle, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &handle);
    }
};

/// A communicator of all ranks, by MPI_Comm_create_group.
struct Grouped : Communicator {
    Grouped() {
        MPI_Group world = MPI_GROUP_NULL;
        MPI_Comm_group(MPI_COMM_WORLD, &world);
        MPI_Comm_create_group(MPI_COMM_WORLD, world, 3, &handle);
        MPI_Group_free(&world);
    }
};

/// A communicator of all ranks, made of both groups of an intercommunicator.
struct Merged : Communicator {
    Merged() {
        const Between between;
        MPI_Intercomm_merge(between.handle, rank % 2, &handle);
    }
};

void awaitMessage(MPI_Comm communicator) {
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&value, 1, MPI_INT, 0, 11, communicator, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int sumOn(MPI_Comm communicator) {
    const int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, communicator);
    return sum;
}

template <class Made>
void work() {
    for (int round = 0; round < 20; ++round) {
        const Made made;
        int others = 0;
        int isInter = 0;
        MPI_Comm_test_inter(made.handle, &isInter);
        isInter != 0 ? MPI_Comm_remote_size(made.handle, &others) : MPI_Comm_size(made.handle, &others);
        check(sumOn(made.handle) == others, "sum");
        MPI_Barrier(made.handle);
    }
    sayDone();
}

template <class Made>
void throwBeside(const std::function<void(MPI_Comm)>& wait) {
    const Witness witness;
    const Made made;
    sumOn(made.handle);
    if (isLast()) overheat();
    wait(made.handle);
}

template <class Made>
void throwBesideMaking() {
    const Witness witness;
    { const Made before; }
    if (isLast()) overheat();
    const Made made;
}

/// The last rank waits for a message that nobody sends, while the others make a communicator together with it.
template <class Made>
void waitBesideMaking() {
    const Witness witness;
    if (isLast()) awaitMessage(MPI_COMM_WORLD);
    const Made made;
}

/// The last rank waits for a message that nobody sends, the others for that rank.
template <class Made>
void waitInVain() {
    const Witness witness;
    const Made made;
    if (isLast()) awaitMessage(made.handle);
    MPI_Barrier(made.handle);
}

/// A communicator of the even ranks, or of the odd ones.
struct Half : Communicator {
    Half() { MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &handle); }
};

/// Makes and disconnects communicators. The last rank calls trouble() instead of the last disconnection.
template <class Made>
void disconnect(const std::function<void(MPI_Comm)>& trouble) {
    const Witness witness;
    for (int round = 0; round < 3; ++round) {
        Made made;
        sumOn(made.handle);
        if (isLast() && round == 2 && trouble) return trouble(made.handle);
        MPI_Comm_disconnect(&made.handle);
        check(made.handle == MPI_COMM_NULL, "handle");
    }
    sayDone();
}

/// The last rank throws while a destructor of the others waits for it to disconnect.
void throwBesideDisconnectingDestructors() {
    struct Disconnected : Later {
        ~Disconnected() { MPI_Comm_disconnect(&handle); }
    };
    const Witness witness;
    const Disconnected made;
    if (isLast()) overheat();
}

/// A window of one number on each rank.
class Window {
public:
    Window() {
        constexpr int count = 64;    // with a few bytes only, MPICH 4.0.2 gives wrong data
        MPI_Win_allocate(count * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, static_cast<void*>(&memory_), &handle);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, handle);
        memory_[0] = 0;
        MPI_Win_unlock(rank, handle);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window() { MPI_Win_free(&handle); }

    int value() {
        int value = -1;
        const Lock lock(handle, 0, MPI_LOCK_SHARED);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, handle);
        MPI_Win_flush(0, handle);
        return value;
    }

    struct Lock {
        Lock(MPI_Win theWindow, int theTarget, int kind = MPI_LOCK_EXCLUSIVE) : window(theWindow), target(theTarget) {
            MPI_Win_lock(kind, target, 0, window);
        }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;
        ~Lock() { MPI_Win_unlock(target, window); }
        MPI_Win window;
        int target;
    };

    MPI_Win handle = MPI_WIN_NULL;

private:
    int* memory_ = nullptr;
};

struct LockOfAll {
    explicit LockOfAll(MPI_Win theWindow) : window(theWindow) { MPI_Win_lock_all(0, window); }
    LockOfAll(const LockOfAll&) = delete;
    LockOfAll& operator=(const LockOfAll&) = delete;
    ~LockOfAll() { MPI_Win_unlock_all(window); }
    MPI_Win window;
};

/// Adds one to the number of rank 0 by a get and a put, under a lock.
void addOne(
    MPI_Win window, const std::function<void()>& trouble = [] {}) {
    const Window::Lock lock(window, 0);
    int value = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Rget(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    trouble();
    ++value;
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
}

/// Waits until the number of rank 0 is not 0 any more.
void awaitNumber(MPI_Win window) {
    const LockOfAll lock(window);
    const int nothing = 0;
    for (int value = 0; value == 0;) {
        MPI_Fetch_and_op(&nothing, &value, MPI_INT, 0, 0, MPI_NO_OP, window);
        MPI_Win_flush(0, window);
    }
}

/// The last rank keeps the lock of rank 0 for this long, while the others wait for it.
void keepLock(std::chrono::seconds time) {
    Window window;
    if (isLast()) {
        const Window::Lock lock(window.handle, 0);
        MPI_Barrier(MPI_COMM_WORLD);
        std::this_thread::sleep_for(time);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    addOne(window.handle);
    MPI_Barrier(MPI_COMM_WORLD);
    check(window.value() == size, "count");
}

/// An operator of the program throws.
void throwInOperator() {
    const MPI_User_function* const combine = [](void*, void*, int*, MPI_Datatype*) { overheat(); };
    MPI_Op operation = MPI_OP_NULL;
    MPI_Op_create(combine, 1, &operation);
    int sum = 0;
    MPI_Reduce(&rank, &sum, 1, MPI_INT, operation, 0, MPI_COMM_WORLD);
}

/// Starts a collective that was made to be started many times.
void startCollective() {
#if MPI_VERSION >= 4 || defined(OPEN_MPI)
    int sum = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < 3; ++round) {
        sum = 0;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(sum == size * (size - 1) / 2, "sum of a started collective");
    }
    MPI_Request_free(&request);
#endif
}

/// Starts a request on a communicator that was freed long ago.
void startOnFreed() {
    int value = 0;
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 4, copy, &request);
    MPI_Comm_free(&copy);
    for (int round = 0; round < 300; ++round) MPI_Barrier(MPI_COMM_WORLD);    // the guard frees it meanwhile
    MPI_Startall(1, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

void sleepForever() { std::this_thread::sleep_for(std::chrono::hours(1)); }

void crash() {
    volatile int* nothing = nullptr;
    *nothing = 1;
}

/// The last rank throws, and rank 0 calls trouble() while its stack is unwound.
void cleanUp(const std::function<void()>& trouble) {
    struct CleanUp {
        ~CleanUp() {
            if (rank == 0) trouble();
        }
        const std::function<void()>& trouble;
    };
    const CleanUp last{trouble};
    if (isLast()) overheat();
    MPI_Barrier(MPI_COMM_WORLD);
}

/// All ranks repeat calls of MPI in a destructor while their stacks are unwound, until they receive what nobody sends.
void repeatInCleanUp() {
    struct Exchange {
        ~Exchange() {
            for (int left = 1; rank != 0 && left != 0;) MPI_Allreduce(&rank, &left, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            for (int hasCome = 0; hasCome == 0;) MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &hasCome, MPI_STATUS_IGNORE);
        }
    };
    const Exchange exchange;
    if (isLast()) overheat();
    MPI_Barrier(MPI_COMM_WORLD);
}

/// The last rank calls exit(3). The others catch each exception, and go on.
void goOnForever() {
    for (;;) {
        try {
            if (isLast()) std::exit(3);
            sumOn(MPI_COMM_WORLD);
        } catch (const std::exception&) {
            continue;
        }
    }
}

/// All ranks but the last one end by _exit() behind MPI_Finalize. The last rank goes on when they have ended.
void endAtOnceBehindMpi() {
    std::vector<int> processes(static_cast<std::size_t>(size));
    const int own = ::getpid();
    MPI_Allgather(&own, 1, MPI_INT, processes.data(), 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    if (!isLast()) ::_exit(0);
    processes.pop_back();
    for (const int process : processes) {
        while (::kill(process, 0) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::printf("the last rank waits\n");
    std::fflush(stdout);
    const char* const path = std::getenv("AWAITED_FILE");
    while (path != nullptr && ::access(path, F_OK) != 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::printf("all rounds done\n");
    std::exit(0);
}

/// An exception that ends the program well.
struct Leave {};

/// An object whose destructor runs behind the handlers of exit().
struct AtEnd {
    ~AtEnd() {
        if (call) call();
    }
    std::function<void()> call;
} atEnd;

void finalize() {
    MPI_Finalize();
    std::printf("rank %d finalised\n", rank);
}

void synchronize() {
    MPI_Barrier(MPI_COMM_WORLD);
    std::printf("rank %d synchronised\n", rank);
}

/// The last rank calls exit(3) while the others wait for it.
void exitBehind(void (*handler)()) {
    std::atexit(handler);
    if (isLast()) std::exit(3);
    for (int round = 0; round < 2; ++round) sumOn(MPI_COMM_WORLD);
}

/// The last rank calls exit(5) in a function that MPI calls while a communicator is duplicated.
void exitInAttribute() {
    const MPI_Comm_copy_attr_function* const leave = [](MPI_Comm, int, void*, void*, void*, int*) -> int {
        if (isLast()) std::exit(5);
        return MPI_SUCCESS;
    };
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(leave, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, nullptr);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    sumOn(MPI_COMM_WORLD);
}

const std::map<std::string, std::function<void()>>& programs() {
    static const auto inCollective = [](MPI_Comm communicator) { sumOn(communicator); };
    static const std::map<std::string, std::function<void()>> all{
        {"worksLater", work<Later>},
        {"worksBetween", work<Between>},
        {"worksMerged", work<Merged>},
        {"throwsBesideLater", [] { throwBeside<Later>(inCollective); }},
        {"throwsBesideBetween", [] { throwBeside<Between>(inCollective); }},
        {"throwsBesideMerged", [] { throwBeside<Merged>(inCollective); }},
        {"throwsBesideMessageLater", [] { throwBeside<Later>(awaitMessage); }},
        {"throwsBesideMessageBetween", [] { throwBeside<Between>(awaitMessage); }},
        {"throwsBesideMaking", throwBesideMaking<Later>},
        {"throwsBesideMakingGrouped", throwBesideMaking<Grouped>},
        {"throwsBesideMakingBetween", throwBesideMaking<Between>},
        {"throwsBesideMakingMerged", throwBesideMaking<Merged>},
        {"waitsBesideMakingGrouped", waitBesideMaking<Grouped>},
        {"waitsBesideMakingBetween", waitBesideMaking<Between>},
        {"worksGrouped", work<Grouped>},
        {"throwsBesideGrouped", [] { throwBeside<Grouped>(inCollective); }},
        {"waitsInVainGrouped", waitInVain<Grouped>},
        {"waitsInVainLater", waitInVain<Later>},
        {"waitsInVainBetween", waitInVain<Between>},
        {"waitsInVainMerged", waitInVain<Merged>},
        {"worksDisconnectingLater", [] { disconnect<Later>({}); }},
        {"worksDisconnectingHalf", [] { disconnect<Half>({}); }},
        {"worksDisconnectingBetween", [] { disconnect<Between>({}); }},
        {"throwsBesideDisconnectingLater", [] { disconnect<Later>([](MPI_Comm) { overheat(); }); }},
        {"throwsBesideDisconnectingHalf", [] { disconnect<Half>([](MPI_Comm) { overheat(); }); }},
        {"throwsBesideDisconnectingBetween", [] { disconnect<Between>([](MPI_Comm) { overheat(); }); }},
        {"throwsBesideDisconnectingDestructors", throwBesideDisconnectingDestructors},
        {"waitsBesideDisconnecting", [] { disconnect<Later>(awaitMessage); }},
        {"differsBesideDisconnecting", [] { disconnect<Later>([](MPI_Comm communicator) { sumOn(communicator); }); }},
        {"leavesBesideDisconnecting", [] { disconnect<Later>([](MPI_Comm) {}); }},
        {"worksWithLocks",
         [] {
             Window window;
             for (int round = 0; round < 50; ++round) addOne(window.handle);
             MPI_Barrier(MPI_COMM_WORLD);
             check(window.value() == 50 * size, "count");
             MPI_Barrier(MPI_COMM_WORLD);    // the last rank changes the number again
             if (isLast()) addOne(window.handle);
             awaitNumber(window.handle);
             sayDone();
         }},
        {"worksWithALockKeptForLong",
         [] {
             keepLock(std::chrono::seconds(4));
             sayDone();
         }},
        {"throwsInALock",
         [] {
             const Witness witness;
             Window window;
             int round = 0;
             for (;; ++round) {
                 addOne(window.handle, [&] {
                     if (isLast() && round == 20) overheat();
                 });
             }
         }},
        {"throwsInALockOfAll",
         [] {
             const Witness witness;
             Window window;
             {
                 const LockOfAll lock(window.handle);
                 MPI_Barrier(MPI_COMM_WORLD);
                 if (isLast()) overheat();
                 MPI_Barrier(MPI_COMM_WORLD);
             }
         }},
        {"throwsWhileAnotherRankHasTheLock",
         [] {
             const Witness witness;
             Window window;
             if (rank == 0) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window.handle);
             MPI_Barrier(MPI_COMM_WORLD);
             if (isLast()) overheat();
             if (rank != 0) addOne(window.handle);
             MPI_Barrier(MPI_COMM_WORLD);
         }},
        {"throwsInAnOperator", throwInOperator},
        {"worksWithUnknownPersistentRequests",
         [] {
             startCollective();
             startOnFreed();
             sayDone();
         }},
        {"terminatesInItsCleanUp", [] { cleanUp([] { const std::thread joinedByNobody(sleepForever); }); }},
        {"crashesInItsCleanUp", [] { cleanUp(crash); }},
        {"throwsInItsCleanUp", [] { cleanUp([] { throw std::out_of_range("no such file"); }); }},
        {"waitsInItsCleanUp", [] { cleanUp(sleepForever); }},
        {"repeatsInItsCleanUp", repeatInCleanUp},
        {"goesOnForever", goOnForever},
        {"leavesByAnException",
         [] {
             sumOn(MPI_COMM_WORLD);
             throw Leave();
         }},
        {"leavesByAnExceptionAlone",
         [] {
             if (isLast()) throw Leave();
             sumOn(MPI_COMM_WORLD);
         }},
        {"endsAtOnceBehindMpi", endAtOnceBehindMpi},
        {"exitsBesideBarrier", [] { exitBehind(synchronize); }},
        {"exitsBesideFinalize", [] { exitBehind(finalize); }},
        {"exitsInAnAttribute", exitInAttribute},
        {"allExitBesideFinalize",
         [] {
             std::atexit(finalize);
             sumOn(MPI_COMM_WORLD);
             std::exit(3);
         }},
        {"worksFinalizedByAnObject",
         [] {
             atEnd.call = finalize;
             sumOn(MPI_COMM_WORLD);
             std::exit(0);
         }},
        {"allExitBesideAnObject",
         [] {
             atEnd.call = finalize;
             sumOn(MPI_COMM_WORLD);
             std::exit(5);
         }},
        {"exitsBesideAnObject",
         [] {
             atEnd.call = finalize;
             if (isLast()) std::exit(3);
             for (int round = 0; round < 2; ++round) sumOn(MPI_COMM_WORLD);
         }},
        {"throwsBesideAnObject",
         [] {
             atEnd.call = synchronize;
             if (isLast()) overheat();
             sumOn(MPI_COMM_WORLD);
         }},
        {"throwsBesideASpinningRank",
         [] {
             const Witness witness;
             Window window;
             if (isLast()) overheat();
             awaitNumber(window.handle);
         }},
    };
    return all;
}

}    // namespace

int main(int argc, char** argv) {
    const auto found = programs().find(argc == 2 ? argv[1] : "");
    if (found == programs().end()) return 64;
    try {
        const Mpi mpi;
        found->second();
    } catch (const Leave&) {
        return 0;
    }
    return 0;
}

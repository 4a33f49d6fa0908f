// One-sided communication in regions, between fences and with locks.
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/guard/World.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

/// An MPI window on its own memory. The destructor frees the window.
struct Window {
    explicit Window(std::size_t theCount) : count(theCount), own(worldSize() > 1 ? count : 0) {
        const auto bytes = static_cast<MPI_Aint>(count * sizeof(double));
        memory = own.data();
        if (worldSize() > 1)
            MPI_Win_create(memory, bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        else    // with one rank, Open MPI 4.1 cannot make a window on the program's memory
            MPI_Win_allocate(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, static_cast<void*>(&memory), &window);
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window() {
        if (window != MPI_WIN_NULL) MPI_Win_free(&window);
    }
    std::size_t count;
    std::vector<double> own;
    double* memory = nullptr;
    MPI_Win window = MPI_WIN_NULL;
};

int next() { return (worldRank() + 1) % worldSize(); }
int previous() { return (worldRank() + worldSize() - 1) % worldSize(); }

/// Puts, adds and gets around the ring. Returns whether all data have arrived.
bool exchange(const Window& at) {
    const int count = static_cast<int>(at.count) - 1;
    const std::vector<double> values(static_cast<std::size_t>(count), worldRank() + 1.0);
    std::vector<double> read(values.size());
    const double one = 1;
    MPI_Win_fence(0, at.window);
    std::fill_n(at.memory, at.count, 0.0);
    MPI_Win_fence(0, at.window);
    MPI_Put(values.data(), count, MPI_DOUBLE, next(), 0, count, MPI_DOUBLE, at.window);
    MPI_Accumulate(&one, 1, MPI_DOUBLE, 0, count, 1, MPI_DOUBLE, MPI_SUM, at.window);
    MPI_Win_fence(0, at.window);
    MPI_Get(read.data(), count, MPI_DOUBLE, next(), 0, count, MPI_DOUBLE, at.window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, at.window);
    return read == values && at.memory[0] == previous() + 1.0;
}

void checkWindowUsable() {
    bool isRight = false;
    const ExceptionList failures = failuresOf([&] {
        const Window window(2000);
        isRight = exchange(window);
        if (worldRank() == 0) CHECK(window.memory[window.count - 1] == worldSize());
    });
    CHECK(failures.size() == 0);
    CHECK(isRight);
    checkUsable();
}

}    // namespace

TEST_CASE("guarded: windows of each kind behave as outside of regions") {
    checkWindowUsable();
    int* memory = nullptr;
    MPI_Win window = MPI_WIN_NULL;
    const int rank = worldRank();
    const auto putAround = [&](MPI_Aint place) {
        *memory = -1;
        MPI_Win_fence(0, window);
        MPI_Put(&rank, 1, MPI_INT, next(), place, 1, MPI_INT, window);
        MPI_Win_fence(0, window);
        CHECK(*memory == previous());
        int before = -1;
        MPI_Fetch_and_op(&rank, &before, MPI_INT, next(), place, MPI_REPLACE, window);
        MPI_Win_fence(0, window);
        CHECK(before == rank);
        MPI_Win_free(&window);
        CHECK(window == MPI_WIN_NULL);
    };
    const ExceptionList failures = failuresOf([&] {
        MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, static_cast<void*>(&memory), &window);
        putAround(0);
        MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, static_cast<void*>(&memory), &window);
        putAround(0);
    });
    CHECK(failures.size() == 0);
}

TEST_CASE("guarded: who waits in a fence is woken, and what is under way is over before memory is gone") {
    for (const bool isLate : {false, true}) {
        const ExceptionList failures = failuresOf([&] {
            const Window window(100'000);
            const std::vector<double> values(window.count, 1.0);
            if (!isLate && worldRank() == 0) throw std::domain_error("matrix is singular");
            MPI_Win_fence(0, window.window);
            MPI_Put(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, next(), 0, static_cast<int>(values.size()), MPI_DOUBLE,
                    window.window);
            if (isLate && worldRank() == 0) throw std::domain_error("matrix is singular");
            MPI_Win_fence(0, window.window);
        });
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().as<std::domain_error>() != nullptr);
        checkWindowUsable();
    }
}

TEST_CASE("guarded: who waits to make a window, or to free it, is woken") {
    checkFreed([] { const Window window(10); });
    const ExceptionList failures = failuresOf([] {
        {
            const Window window(10);
            if (worldRank() == 0) throw std::domain_error("matrix is singular");
        }
        MPI_Barrier(MPI_COMM_WORLD);
        FAIL("the failure was not heard");
    });
    CHECK(failures.size() == 1);
    checkWindowUsable();
}

TEST_CASE("guarded: a window from before the region can be used when the region has failed") {
    const Window window(1000);
    for (int round = 0; round < 3; ++round) {
        const ExceptionList failures = failuresOf([&] {
            exchange(window);
            if (worldRank() == round % worldSize()) throw std::domain_error("matrix is singular");
            exchange(window);
        });
        CHECK(failures.size() == 1);
        CHECK(exchange(window));
        bool isRight = false;
        CHECK(failuresOf([&] { isRight = exchange(window); }).size() == 0);
        CHECK(isRight);
    }
}

namespace {

/// Locks of a window, which the destructor gives back.
struct WindowLock {
    WindowLock(MPI_Win theWindow, int theTarget, int kind = MPI_LOCK_EXCLUSIVE) : window(theWindow), target(theTarget) {
        MPI_Win_lock(kind, target, 0, window);
    }
    WindowLock(const WindowLock&) = delete;
    WindowLock& operator=(const WindowLock&) = delete;
    ~WindowLock() { MPI_Win_unlock(target, window); }
    MPI_Win window;
    int target;
};

/// Adds one to the first number of rank 0, by a get and a put. trouble(): called between them.
void addOne(
    const Window& at, const std::function<void()>& trouble = [] {}) {
    const WindowLock lock(at.window, 0);
    double value = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Rget(&value, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, at.window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    trouble();
    ++value;
    MPI_Put(&value, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, at.window);
}

double firstNumber(const Window& at) {
    double value = -1;
    const WindowLock lock(at.window, 0, MPI_LOCK_SHARED);
    MPI_Get(&value, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, at.window);
    MPI_Win_flush(0, at.window);
    return value;
}

/// Adds on all ranks, in a region, to a window that is there already. Returns whether the sum is right.
bool areSumsRight(const Window& at) {
    {
        const WindowLock lock(at.window, worldRank());
        at.memory[0] = 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double found = 0;
    const ExceptionList failures = failuresOf([&] {
        for (int round = 0; round < 20; ++round) addOne(at);
        MPI_Barrier(MPI_COMM_WORLD);
        found = firstNumber(at);
    });
    return failures.size() == 0 && found == 20.0 * worldSize();
}

}    // namespace

TEST_CASE("guarded: windows with locks behave as outside of regions") {
    const Window window(10);
    CHECK(areSumsRight(window));
    double got = -1;
    const ExceptionList failures = failuresOf([&] {
        const double own = worldRank();
        MPI_Win_lock_all(0, window.window);
        MPI_Put(&own, 1, MPI_DOUBLE, next(), 3, 1, MPI_DOUBLE, window.window);
        MPI_Win_flush_all(window.window);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Get(&got, 1, MPI_DOUBLE, worldRank(), 3, 1, MPI_DOUBLE, window.window);
        MPI_Win_flush_local(worldRank(), window.window);
        MPI_Win_unlock_all(window.window);
    });
    CHECK(failures.size() == 0);
    CHECK(got == previous());
    CHECK(exchange(window));    // by fences again
}

TEST_CASE("guarded: a rank that throws with a lock gives it back, and ranks that wait for it are woken") {
    const Window window(10);
    for (int round = 0; round < 3; ++round) {
        const ExceptionList failures = failuresOf([&] {
            for (int turn = 0;; ++turn) {
                addOne(window, [&] {
                    if (worldRank() == round % worldSize() && turn == 5) throw std::domain_error("matrix is singular");
                });
            }
        });
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().as<std::domain_error>() != nullptr);
        CHECK(areSumsRight(window));
    }
}

TEST_CASE("guarded: a rank that is woken gives its lock back to a rank that waits for it") {
    if (worldSize() < 2) return;
    const Window window(10);
    const ExceptionList failures = failuresOf([&] {
        const int last = worldSize() - 1;
        if (worldRank() == 0) {
            const WindowLock lock(window.window, 0);
            MPI_Barrier(MPI_COMM_WORLD);
            if (last == 0) return;
            MPI_Barrier(MPI_COMM_WORLD);    // the last rank never comes
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
            if (worldRank() == last) throw std::domain_error("matrix is singular");
            addOne(window);
        }
    });
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().as<std::domain_error>() != nullptr);
    CHECK(areSumsRight(window));
}

TEST_CASE("guarded: who repeats an access until a value comes is woken") {
    const Window window(10);
    const ExceptionList failures = failuresOf([&] {
        MPI_Win_lock_all(0, window.window);
        if (worldRank() == worldSize() - 1) throw std::domain_error("matrix is singular");
        const double nothing = 0;
        for (double value = 0; value != 42;) {
            MPI_Fetch_and_op(&nothing, &value, MPI_DOUBLE, 0, 9, MPI_NO_OP, window.window);
            MPI_Win_flush(0, window.window);
        }
    });
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().as<std::domain_error>() != nullptr);
    CHECK(areSumsRight(window));
}

TEST_CASE("guarded: locks from before a region are there after it, whether it has failed or not") {
    const Window window(10);
    MPI_Win_lock_all(0, window.window);
    for (const bool fails : {false, true}) {
        const double own = worldRank() + (fails ? 100 : 0);
        const ExceptionList failures = failuresOf([&] {
            MPI_Put(&own, 1, MPI_DOUBLE, next(), 5, 1, MPI_DOUBLE, window.window);
            MPI_Win_flush_all(window.window);
            if (fails && worldRank() == 0) throw std::domain_error("matrix is singular");
            MPI_Barrier(MPI_COMM_WORLD);
        });
        CHECK(failures.size() == (fails ? 1 : 0));
        MPI_Barrier(MPI_COMM_WORLD);
        double got = -1;
        MPI_Get(&got, 1, MPI_DOUBLE, worldRank(), 5, 1, MPI_DOUBLE, window.window);
        MPI_Win_flush(worldRank(), window.window);
        CHECK(got == previous() + (fails ? 100 : 0));
        MPI_Barrier(MPI_COMM_WORLD);    // before the neighbour puts its next value
    }
    MPI_Win_unlock_all(window.window);
    CHECK(areSumsRight(window));
}

TEST_CASE("guarded: a lock of a failed region may be given back after it") {
    const Window window(10);
    bool isLocked = false;    // false: the region failed before this rank had the lock
    const ExceptionList failures = failuresOf([&] {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window.window);
        isLocked = true;
        if (worldRank() == 0) throw std::domain_error("matrix is singular");
        MPI_Barrier(MPI_COMM_WORLD);
    });
    CHECK(failures.size() == 1);
    if (isLocked) CHECK(MPI_Win_unlock(0, window.window) == MPI_SUCCESS);
    CHECK(areSumsRight(window));
}

namespace {

/// Puts a number around the ring in epochs of MPI_Win_post and MPI_Win_start. reach(): called before each step.
bool putByPost(
    const Window& at, const std::function<void(int)>& reach = [](int) {}) {
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Win_get_group(at.window, &all);
    MPI_Group origin = MPI_GROUP_NULL;
    MPI_Group target = MPI_GROUP_NULL;
    const int from = previous();
    const int to = next();
    MPI_Group_incl(all, 1, &from, &origin);
    MPI_Group_incl(all, 1, &to, &target);
    const double value = worldRank() + 1;
    at.memory[0] = -1;
    reach(0);
    MPI_Win_post(origin, 0, at.window);
    reach(1);
    MPI_Win_start(target, 0, at.window);
    reach(2);
    MPI_Put(&value, 1, MPI_DOUBLE, to, 0, 1, MPI_DOUBLE, at.window);
    reach(3);
    MPI_Win_complete(at.window);
    reach(4);
    int isOver = 0;
    if (worldRank() % 2 == 0)
        while (isOver == 0) MPI_Win_test(at.window, &isOver);
    else
        MPI_Win_wait(at.window);
    for (MPI_Group* group : {&all, &origin, &target}) MPI_Group_free(group);
    return at.memory[0] == previous() + 1.0;
}

}    // namespace

TEST_CASE("guarded: epochs of a window by post and start behave as outside of regions") {
    const Window window(10);
    for (int round = 0; round < 5; ++round) {
        bool isRight = false;
        CHECK(failuresOf([&] { isRight = putByPost(window); }).size() == 0);
        CHECK(isRight);
        CHECK(putByPost(window));
        CHECK(exchange(window));
    }
}

TEST_CASE("guarded: who waits in an epoch of post and start is woken, and the window can be used again") {
    const Window window(10);
    for (int step = 0; step < 5; ++step) {
        for (int rank = 0; rank < std::min(worldSize(), 3); ++rank) {
            CAPTURE(step);
            const ExceptionList failures = failuresOf([&] {
                const Window inside(10);
                putByPost(inside);
                for (const Window* one : {&window, &inside}) {
                    putByPost(*one, [&](int reached) {
                        if (reached == step && worldRank() == rank && one == (step % 2 == 0 ? &window : &inside))
                            throw std::domain_error("matrix is singular");
                    });
                }
                MPI_Barrier(MPI_COMM_WORLD);
            });
            REQUIRE(failures.size() == 1);
            CHECK(failures.front().as<std::domain_error>() != nullptr);
            bool isRight = false;
            CHECK(failuresOf([&] { isRight = putByPost(window); }).size() == 0);
            CHECK(isRight);
        }
    }
    CHECK(exchange(window));
    checkWindowUsable();
}

TEST_CASE("guarded: an epoch of post that is older than the region is refused") {
    const Window window(10);
    double value = 0;
    MPI_Win_post(MPI_GROUP_EMPTY, 0, window.window);
    const std::array<std::function<void()>, 4> refused{
        [&] { MPI_Put(&value, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, window.window); },
        [&] { MPI_Win_fence(0, window.window); },
        [&] { MPI_Win_wait(window.window); },
        [&] {
            int isOver = 0;
            MPI_Win_test(window.window, &isOver);
        },
    };
    for (const auto& call : refused) {
        const ExceptionList failures = failuresOf(call);
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().as<UsageError>() != nullptr);
        CHECK(std::string(failures.front().what()).find(" is not supported in a guarded region: ") != std::string::npos);
        CHECK(begins(failures.front(), "WindowTest.cpp"));
    }
    MPI_Win_wait(window.window);
    CHECK(exchange(window));
    checkWindowUsable();
}

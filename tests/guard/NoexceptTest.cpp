// Functions that no exception can leave. A rank waits in such a function or enters it when another rank has failed.
#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/guard/World.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

int value = 0;
MPI_Request request = MPI_REQUEST_NULL;

/// Each function waits for rank 0, which never comes.
using Call = void (*)() noexcept;
const std::vector<Call>& callsThatWait() {
    static const std::vector<Call> calls{
        []() noexcept { MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); },
        []() noexcept { MPI_Barrier(MPI_COMM_WORLD); },
        []() noexcept {
            std::vector<double> values(1000), sums(1000);
            MPI_Allreduce(values.data(), sums.data(), 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        },
        []() noexcept {
            MPI_Irecv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            if (request != MPI_REQUEST_NULL) std::terminate();
        },
        []() noexcept {
            std::vector<double> large(100'000);    // MPI must not write to it after it has been destroyed
            std::array<MPI_Request, 2> requests{};
            MPI_Irecv(large.data(), 50'000, MPI_DOUBLE, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, requests.data());
            MPI_Isend(large.data() + 50'000, 50'000, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, &requests[1]);
            MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        },
        []() noexcept {
            int received = 0;
            MPI_Sendrecv(&value, 1, MPI_INT, 0, 4, &received, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        },
        []() noexcept {
            MPI_Irecv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
            for (int isDone = 0; isDone == 0;) MPI_Test(&request, &isDone, MPI_STATUS_IGNORE);
        },
        []() noexcept { MPI_Ssend(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD); },
        []() noexcept { MPI_Probe(0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); },
        []() noexcept {
            MPI_Comm copy = MPI_COMM_NULL;
            MPI_Comm_dup(MPI_COMM_WORLD, &copy);
            if (copy != MPI_COMM_NULL) std::terminate();
        },
        []() noexcept {
            MPI_Ibarrier(MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        },
    };
    return calls;
}

/// Rank 0 fails, and the others run the function. Returns the failures of the region.
ExceptionList failuresWhenFirstFails(const std::function<void()>& function) {
    return failuresOf([&] {
        if (worldRank() == 0) throw std::domain_error("matrix is singular");
        function();
    });
}

void checkFailure(const ExceptionList& failures) {
    REQUIRE(failures.size() == 1);
    CHECK(failures.front().as<std::domain_error>() != nullptr);
    CHECK(failures.front().rank() == 0);
    checkUsable();
}

template <class Function>
class AtEnd {
public:
    explicit AtEnd(Function function) : function_(function) {}
    AtEnd(const AtEnd&) = delete;
    AtEnd& operator=(const AtEnd&) = delete;
    ~AtEnd() { function_(); }

private:
    Function function_;
};

}    // namespace

TEST_CASE("guarded: who waits in a function that is noexcept returns to it, and the next call outside of it throws") {
    for (std::size_t i = 0; i < callsThatWait().size(); ++i) {
        CAPTURE(i);
        const Call call = callsThatWait()[i];
        bool hasReturned = worldRank() == 0;
        bool hasThrown = hasReturned;
        checkFailure(failuresWhenFirstFails([&] {
            call();
            hasReturned = true;
            try {
                MPI_Barrier(MPI_COMM_WORLD);
            } catch (const RegionFailed&) {
                hasThrown = true;
                throw;
            }
        }));
        CHECK(hasReturned);
        CHECK(hasThrown);
    }
}

TEST_CASE("guarded: a destructor in normal flow that waits returns, and the end of the region says what has failed") {
    for (const Call call : callsThatWait()) {
        bool hasReturned = worldRank() == 0;
        checkFailure(failuresWhenFirstFails([&] {
            { const AtEnd atEnd(call); }
            hasReturned = true;
        }));
        CHECK(hasReturned);
    }
}

TEST_CASE("guarded: all calls in a function that is noexcept return when the region has failed, and it may be entered later too") {
    int returnedCount = 0;
    checkFailure(failuresWhenFirstFails([&] {
        const auto callAll = [&]() noexcept {
            for (const Call call : callsThatWait()) {
                call();
                ++returnedCount;
            }
        };
        callAll();
        callAll();
        MPI_Barrier(MPI_COMM_WORLD);
        ++returnedCount;
    }));
    if (worldRank() != 0) CHECK(returnedCount == 2 * static_cast<int>(callsThatWait().size()));
}

TEST_CASE("guarded: who has caught the failure of another rank can call functions that are noexcept") {
    bool hasReturned = worldRank() == 0;
    checkFailure(failuresWhenFirstFails([&] {
        try {
            MPI_Barrier(MPI_COMM_WORLD);
        } catch (const RegionFailed&) {
            {
                const AtEnd atEnd([] { MPI_Barrier(MPI_COMM_WORLD); });
            }
            hasReturned = true;
        }
    }));
    CHECK(hasReturned);
}

TEST_CASE("guarded: within a function that is noexcept, a handler that takes the exception gets it") {
    int caughtCount = worldRank() == 0 ? 3 : 0;
    const ExceptionList failures = failuresWhenFirstFails([&] {
        const auto catching = [&]() noexcept {
            try {
                MPI_Barrier(MPI_COMM_WORLD);
            } catch (const RegionFailed&) {
                ++caughtCount;
            }
            try {
                MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } catch (const std::exception&) {
                ++caughtCount;
            }
            try {
                const std::vector<int> values(1000);
                MPI_Send(values.data(), 1000, MPI_INT, 0, 4, MPI_COMM_WORLD);
            } catch (...) {
                ++caughtCount;
            }
        };
        catching();
    });
    CHECK(caughtCount == 3);
    checkFailure(failures);
}

TEST_CASE("guarded: within a function that is noexcept, a handler for another class does not get it") {
    bool hasReturned = worldRank() == 0;
    checkFailure(failuresWhenFirstFails([&] {
        const auto catching = [&]() noexcept {
            try {
                MPI_Barrier(MPI_COMM_WORLD);
            } catch (const std::bad_alloc&) {
                FAIL("it is another class");
            }
            hasReturned = true;
        };
        catching();
    }));
    CHECK(hasReturned);
}

TEST_CASE("guarded: what is refused in a function that is noexcept ends the region all the same") {
    int result = MPI_SUCCESS;
    MPI_Comm world = MPI_COMM_WORLD;
    const std::array<std::function<void()>, 3> refused{
        [&] { const AtEnd atEnd([&] { result = MPI_Comm_disconnect(&world); }); },
        [&] { const AtEnd atEnd([&] { result = MPI_Barrier(MPI_COMM_NULL); }); },
        [&] { const AtEnd atEnd([&] { result = MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_NULL, MPI_STATUS_IGNORE); }); },
    };
    for (const auto& call : refused) {
        result = MPI_SUCCESS;
        const ExceptionList failures = failuresOf([&] {
            if (worldRank() == worldSize() - 1) call();
            MPI_Barrier(MPI_COMM_WORLD);
        });
        REQUIRE(failures.size() == 1);
        CHECK(failures.front().as<UsageError>() != nullptr);
        CHECK(failures.front().rank() == worldSize() - 1);
        CHECK((result == MPI_ERR_OTHER) == (worldRank() == worldSize() - 1));
        checkUsable();
    }
}

TEST_CASE("guarded: what is thrown because of something refused in a function that is noexcept comes behind that") {
    const ExceptionList failures = failuresOf([] {
        if (worldRank() == 0) {
            {
                const AtEnd atEnd([] { MPI_Barrier(MPI_COMM_NULL); });
            }
            throw std::runtime_error("consequence");
        }
        MPI_Barrier(MPI_COMM_WORLD);
    });
    REQUIRE(failures.size() == 2);
    CHECK(failures[0].as<UsageError>() != nullptr);
    CHECK(failures[1].what() == std::string("consequence"));
    checkUsable();
}

TEST_CASE("guarded: who waits in a function that is noexcept for a rank that has returned from the region returns, too") {
    const int last = worldSize() - 1;
    bool hasReturned = worldRank() == last;
    const ExceptionList failures = failuresOf([&] {
        if (worldRank() == last) return;
        {
            const AtEnd atEnd([] { MPI_Barrier(MPI_COMM_WORLD); });
        }
        hasReturned = true;
    });
    CHECK(hasReturned);
    if (worldSize() > 1) REQUIRE(failures.size() >= 1);
    for (const Failure& failure : failures) {
        const auto* missed = failure.as<RankHasLeft>();
        REQUIRE(missed != nullptr);
        CHECK(missed->rank() == last);
    }
    checkUsable();
}

TEST_CASE("guarded: a function that is noexcept in a region inside of another one, and around it") {
    int returnedCount = 0;
    const ExceptionList failures = failuresOf([&] {
        const auto inner = [&]() noexcept {
            try {
                guarded(MPI_COMM_WORLD, [&] {
                    if (worldRank() == 0) throw std::domain_error("matrix is singular");
                    {
                        const AtEnd atEnd([] { MPI_Barrier(MPI_COMM_WORLD); });
                    }
                    ++returnedCount;
                });
            } catch (const ExceptionList& list) {
                if (list.size() == 1) ++returnedCount;
            }
        };
        inner();
        inner();
        if (worldRank() == 0) throw std::domain_error("matrix is singular");
        const auto outer = [&]() noexcept {
            guarded(MPI_COMM_WORLD, [] { FAIL("not all ranks have come"); });
            ++returnedCount;
        };
        outer();
    });
    CHECK(returnedCount == (worldRank() == 0 ? 2 : 5));
    checkFailure(failures);
}

// main() of the tests that are written against ranks. Under mpirun every rank runs the same cases in the same order.
// The program fails on every rank when a check failed on any rank.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include <doctest/doctest.h>
#ifdef FERRY_TESTS_WITH_MPI
#include <mpi.h>
#endif

#include <ferry/connector/transport/mpi/MpiEnvironment.hpp>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds caseLimit{120};

std::atomic<const char*> currentCase{nullptr};
std::atomic<Clock::rep> currentStart{0};

/// Stores the present test case for the watch.
struct CaseListener final : doctest::IReporter {
    explicit CaseListener(const doctest::ContextOptions&) {}
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_start(const doctest::TestCaseData& data) override {
        currentStart = Clock::now().time_since_epoch().count();
        currentCase = data.m_name;
    }
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override { currentCase = nullptr; }
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};

REGISTER_LISTENER("case", 1, CaseListener);

/// Detects a test case that takes too long. Prints its name and ends the process, which ends the job.
void watchForHangs() {
    for (;;) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        const char* name = currentCase;
        if (name == nullptr || Clock::now().time_since_epoch() - Clock::duration(currentStart) < caseLimit) continue;
        std::fprintf(stderr, "HANG in the test case \"%s\"\n", name);
        std::fflush(nullptr);
        std::_Exit(99);
    }
}

}    // namespace

int main(int argc, char** argv) {
    std::unique_ptr<ferry::detail::MpiEnvironment> mpi;
    if (ferry::detail::MpiEnvironment::isPresent()) mpi = std::make_unique<ferry::detail::MpiEnvironment>(argc, argv);
    std::thread(watchForHangs).detach();
    doctest::Context context(argc, argv);
    context.setOption("no-intro", true);
    if (mpi) context.setOption("no-colors", true);    // mpirun gives programs a terminal even when their output goes to a log
    int result = context.run();
#ifdef FERRY_TESTS_WITH_MPI
    if (mpi) {
        int worst = 0;
        MPI_Allreduce(&result, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        mpi->finalize();
        result = worst;
    }
#endif
    return result;
}

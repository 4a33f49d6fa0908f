// Throws at the MPI calls of small codes, and runs the same region again after each fault.
//     mpirun -np 4 ferryPmpiCampaign all            each call of each code, on each rank
//     mpirun -np 4 ferryPmpiCampaign COUNT [SEED [BYTES]]
//         COUNT random faults, one in four on two ranks; BYTES: greatest heap growth per fault, measured in the second half
// Each rank checks that the failure that was thrown leaves the region, with its class and data.
// Each rank also checks that no message is left on the communicator, and that the repeated region gives the result of a run without
// guard.
#include <malloc.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/guard/region/guarded.hpp>
#include <ferry/tests/guard/Codes.hpp>

namespace {

using ferry::test::Code;
using ferry::test::codes;
using ferry::test::Faults;
using ferry::test::InjectedFault;

struct Fault {
    int rank = 0;
    int step = 0;
};

/// The result of a code without a guard, and the number of steps of each rank.
struct Reference {
    double result = 0;
    std::vector<int> steps;
};

class Campaign {
public:
    Campaign() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        for (const Code& code : codes) references_.push_back(referenceOf(code));
    }

    void runAll() {
        for (std::size_t code = 0; code < codes.size(); ++code) {
            for (int rank = 0; rank < size_; ++rank) {
                for (int step = 1; step <= references_[code].steps[static_cast<std::size_t>(rank)]; ++step) runFault(code, {{rank, step}});
            }
        }
    }

    /// All ranks draw the same numbers.
    void runRandom(int count, unsigned seed) {
        std::mt19937 random(seed);
        std::size_t bytesAtHalf = 0;
        for (int i = 0; i < count; ++i) {
            if (i == count / 2) bytesAtHalf = ::mallinfo2().uordblks;
            const std::size_t code = random() % codes.size();
            std::vector<Fault> faults{draw(random, code)};
            if (random() % 4 == 0) faults.push_back(draw(random, code));
            runFault(code, faults);
        }
        const double grown = static_cast<double>(::mallinfo2().uordblks) - static_cast<double>(bytesAtHalf);
        bytesPerFault_ = grown / std::max(count - count / 2, 1);
    }

    /// Prints the summary on rank 0. Returns the exit status. All ranks have to call it.
    int report(double mostBytesPerFault) const {
        int all = 0;
        MPI_Allreduce(&problemCount_, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        double most = 0;
        MPI_Allreduce(&bytesPerFault_, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (rank_ == 0)
            std::printf("%d faults, %d ranks, %d problems; the heap of a rank grew by at most %.1f bytes a fault\n", faultCount_, size_,
                        all, most);
        return all == 0 && most <= mostBytesPerFault ? 0 : 1;
    }

private:
    Reference referenceOf(const Code& code) const {
        Faults none;
        Reference reference;
        reference.result = code.run(MPI_COMM_WORLD, none);
        reference.steps.resize(static_cast<std::size_t>(size_));
        const int own = none.count();
        MPI_Allgather(&own, 1, MPI_INT, reference.steps.data(), 1, MPI_INT, MPI_COMM_WORLD);
        return reference;
    }

    Fault draw(std::mt19937& random, std::size_t code) const {
        const int rank = static_cast<int>(random() % static_cast<unsigned>(size_));
        const int steps = references_[code].steps[static_cast<std::size_t>(rank)];
        return {rank, 1 + static_cast<int>(random() % static_cast<unsigned>(steps))};
    }

    void problem(const Code& code, const std::vector<Fault>& faults, const std::string& what) {
        ++problemCount_;
        std::fprintf(stderr, "rank %d, %s, fault at rank %d step %d (of %zu): %s\n", rank_, code.name, faults[0].rank, faults[0].step,
                     faults.size(), what.c_str());
    }

    void runFault(std::size_t number, const std::vector<Fault>& faults) {
        const Code& code = codes[number];
        ++faultCount_;
        int ownStep = 0;
        for (const Fault& fault : faults) {
            if (fault.rank == rank_ && (ownStep == 0 || fault.step < ownStep)) ownStep = fault.step;
        }
        try {
            ferry::guarded(MPI_COMM_WORLD, [&] {
                Faults armed(rank_, ownStep);
                code.run(MPI_COMM_WORLD, armed);
            });
            problem(code, faults, "the region has not failed");
        } catch (const ferry::ExceptionList& list) {
            checkList(code, faults, list);
        }
        checkNothingLeft(code, faults);
        double result = 0;
        ferry::guarded(MPI_COMM_WORLD, [&] {
            Faults none;
            result = code.run(MPI_COMM_WORLD, none);
        });
        if (std::abs(result - references_[number].result) > 1e-9 * std::abs(result))
            problem(code, faults, fmt::format("{} instead of {}", result, references_[number].result));
    }

    void checkList(const Code& code, const std::vector<Fault>& faults, const ferry::ExceptionList& list) {
        if (list.size() > faults.size()) problem(code, faults, fmt::format("{} failures: {}", list.size(), list.what()));
        for (const ferry::Failure& failure : list) {
            const auto* injected = failure.as<InjectedFault>();
            bool isOne = false;
            for (const Fault& fault : faults)
                isOne = isOne || (injected != nullptr && injected->rank == fault.rank && injected->step == fault.step);
            if (!isOne || failure.rank() != injected->rank) problem(code, faults, fmt::format("another failure: {}", failure.what()));
        }
    }

    void checkNothingLeft(const Code& code, const std::vector<Fault>& faults) {
        int hasCome = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &hasCome, &status);
        if (hasCome != 0)
            problem(code, faults, fmt::format("a message from rank {} with tag {} is left", status.MPI_SOURCE, status.MPI_TAG));
        MPI_Barrier(MPI_COMM_WORLD);    // all ranks have probed before any rank sends again
    }

    int rank_ = 0;
    int size_ = 0;
    std::vector<Reference> references_;
    int faultCount_ = 0;
    int problemCount_ = 0;
    double bytesPerFault_ = 0;
};

}    // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: ferryPmpiCampaign all|COUNT [SEED [BYTES]]\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    int status = 0;
    {
        Campaign campaign;
        const std::string what = argv[1];
        if (what == "all")
            campaign.runAll();
        else
            campaign.runRandom(std::atoi(argv[1]), argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1U);
        status = campaign.report(argc > 3 ? std::atof(argv[3]) : std::numeric_limits<double>::infinity());
    }
    MPI_Finalize();
    return status;
}

// allGather of structs of 32 bytes, by value and into memory of the caller, as times MPI_Allgather of the same bytes: a plain aggregate, a
// struct with a constructor and FERRY_FIELDS, and a struct with a C array. The last column is MPI_Allgather into a std::vector that is made
// for each call. All windows of one run are interleaved. Each ratio is the median of the ratios of neighbouring windows.
//     mpirun -np 2 build/release/bin/benchStructs
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <span>
#include <vector>

#include <mpi.h>

#include <ferry/connector/transport/mpi/MpiTransport.hpp>
#include <ferry/ferry.hpp>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int windowCount = 31;

struct Aggregate {
    double x = 1, y = 2, z = 3;
    int number = 4, kind = 5;
};

struct Made {
    Made() {}
    FERRY_FIELDS(x, y, z, number, kind)
    double x = 1, y = 2, z = 3;
    int number = 4, kind = 5;
};

struct WithArray {
    FERRY_FIELDS(place, number, kind)
    double place[3]{1, 2, 3};
    int number = 4, kind = 5;
};

static_assert(sizeof(Aggregate) == 32 && sizeof(Made) == 32 && sizeof(WithArray) == 32);

double medianOf(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Microseconds of one call.
double timeCalls(int rounds, const std::function<void()>& call) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = Clock::now();
    for (int round = 0; round < rounds; ++round) call();
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / rounds;
}

/// The two calls of Ferry for structs of one kind.
template <class T>
class Kind {
public:
    Kind(ferry::Connector& c, std::size_t count) : c_(c), own_(count), all_(count * static_cast<std::size_t>(c.size())) {}
    std::function<void()> byValue() {
        return [this] { static_cast<void>(c_.allGather(own_)); };
    }
    std::function<void()> into() {
        return [this] { c_.allGather(own_, {.into = std::span<T>(all_)}); };
    }

private:
    ferry::Connector& c_;
    std::vector<T> own_;
    std::vector<T> all_;
};

void bench(ferry::Connector& c, std::size_t count) {
    std::vector<char> own(count * 32), all(own.size() * static_cast<std::size_t>(c.size()));
    const auto byteCount = static_cast<int>(own.size());
    const std::function<void()> plain = [&] {
        MPI_Allgather(own.data(), byteCount, MPI_BYTE, all.data(), byteCount, MPI_BYTE, MPI_COMM_WORLD);
    };
    Kind<Aggregate> aggregate(c, count);
    Kind<Made> made(c, count);
    Kind<WithArray> withArray(c, count);
    const std::function<void()> fresh = [&] {
        std::vector<Aggregate> every(count * static_cast<std::size_t>(c.size()));
        MPI_Allgather(own.data(), byteCount, MPI_BYTE, every.data(), byteCount, MPI_BYTE, MPI_COMM_WORLD);
    };
    const std::vector<std::function<void()>> ways{aggregate.byValue(), made.byValue(), withArray.byValue(), aggregate.into(), made.into(),
                                                  withArray.into(),    fresh};
    std::vector<std::vector<double>> ratios(ways.size());
    std::vector<double> plainTimes;
    const int rounds = count > 500 ? 1000 : 4000;
    for (int window = 0; window <= windowCount; ++window) {
        for (std::size_t way = 0; way < ways.size(); ++way) {
            const double plainTime = timeCalls(rounds, plain);
            const double time = timeCalls(rounds, ways[way]);
            if (window == 0) continue;    // a warm-up
            plainTimes.push_back(plainTime);
            ratios[way].push_back(time / plainTime);
        }
    }
    if (!c.isMaster()) return;
    std::printf("| %zu | %.2f |", count, medianOf(plainTimes));
    for (const std::vector<double>& each : ratios) std::printf(" %.2f |", medianOf(each));
    std::printf("\n");
    std::fflush(stdout);
}

}    // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        ferry::Connector connector(ferry::mpiTransport(MPI_COMM_WORLD));
        if (connector.isMaster())
            std::printf(
                "%d ranks, allGather of structs of 32 bytes, times MPI_Allgather\n\n| structs | MPI_Allgather, us | aggregate | "
                "constructor | "
                "C array | aggregate, into | constructor, into | C array, into | MPI_Allgather, fresh vector |\n"
                "|---|---|---|---|---|---|---|---|---|\n",
                connector.size());
        for (const std::size_t count : {1u, 32u, 1000u}) bench(connector, count);
        connector.close();
    }
    MPI_Finalize();
}

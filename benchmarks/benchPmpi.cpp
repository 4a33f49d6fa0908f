// Measures the cost of MPI calls outside and inside of guarded regions, compared with the library's own calls (PMPI_).
//     mpirun -np 2 build/release/bin/benchPmpi [WINDOWS]
// Windows of the three kinds, of about a millisecond each, alternate. The median and the least time of each kind are printed. Two ranks
// that wait for each other also measure other work of the machine. Only the fastest windows are free of that work.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <mpi.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/guard/region/guarded.hpp>

namespace {

using Clock = std::chrono::steady_clock;

/// The calls of one measured operation. plain: calls of the library itself. own: calls of the program.
struct Operation {
    const char* name;
    int repeats;
    std::function<void()> plain;
    std::function<void()> own;
};

double medianOf(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Microseconds of one call.
double timeOf(int repeats, const std::function<void()>& call) {
    PMPI_Barrier(MPI_COMM_WORLD);
    const auto begin = Clock::now();
    for (int i = 0; i < repeats; ++i) call();
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / repeats;
}

double timeInRegion(int repeats, const std::function<void()>& call) {
    double time = 0;
    ferry::guarded(MPI_COMM_WORLD, [&] { time = timeOf(repeats, call); });
    return time;
}

struct Row {
    std::vector<double> plain, outside, inside;
};

double leastOf(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

void measure(Row& row, const Operation& operation) {
    row.plain.push_back(timeOf(operation.repeats, operation.plain));
    row.inside.push_back(timeInRegion(operation.repeats, operation.own));
    row.outside.push_back(timeOf(operation.repeats, operation.own));
}

void print(const Operation& operation, const Row& row) {
    const double plain = medianOf(row.plain);
    const double least = leastOf(row.plain);
    std::printf("| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", operation.name, plain, medianOf(row.outside),
                medianOf(row.inside), medianOf(row.inside) / plain, least, leastOf(row.outside), leastOf(row.inside),
                leastOf(row.inside) / least);
}

int rank = 0;
std::vector<char> out(1 << 20), in(1 << 20);
std::vector<double> sums(1 << 17), results(1 << 17);

void pingPong(int bytes, decltype(&MPI_Send) send, decltype(&MPI_Recv) receive) {
    const int other = rank ^ 1;
    if (rank % 2 == 0) {
        send(out.data(), bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD);
        receive(in.data(), bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        receive(in.data(), bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        send(out.data(), bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD);
    }
}

void exchange(int bytes, decltype(&MPI_Irecv) receive, decltype(&MPI_Isend) send, decltype(&MPI_Waitall) wait) {
    const int other = rank ^ 1;
    std::array<MPI_Request, 2> requests;
    receive(in.data(), bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, &requests[0]);
    send(out.data(), bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, &requests[1]);
    wait(2, requests.data(), MPI_STATUSES_IGNORE);
}

std::vector<Operation> operations() {
    std::vector<Operation> all;
    const auto addPair = [&](const char* pingPongName, const char* exchangeName, int bytes, int repeats) {
        all.push_back(
            {pingPongName, repeats, [=] { pingPong(bytes, PMPI_Send, PMPI_Recv); }, [=] { pingPong(bytes, MPI_Send, MPI_Recv); }});
        all.push_back({exchangeName, repeats, [=] { exchange(bytes, PMPI_Irecv, PMPI_Isend, PMPI_Waitall); },
                       [=] { exchange(bytes, MPI_Irecv, MPI_Isend, MPI_Waitall); }});
    };
    const auto addReduction = [&](const char* name, int count, int repeats) {
        all.push_back({name, repeats, [=] { PMPI_Allreduce(sums.data(), results.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); },
                       [=] { MPI_Allreduce(sums.data(), results.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }});
    };
    const auto addBroadcast = [&](const char* name, int bytes, int repeats) {
        all.push_back({name, repeats, [=] { PMPI_Bcast(out.data(), bytes, MPI_BYTE, 0, MPI_COMM_WORLD); },
                       [=] { MPI_Bcast(out.data(), bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }});
    };
    addPair("Send + Recv there and back, 8 B", "Irecv + Isend + Waitall, 8 B", 8, 2000);
    addPair("Send + Recv there and back, 1 KiB", "Irecv + Isend + Waitall, 1 KiB", 1 << 10, 1000);
    addPair("Send + Recv there and back, 64 KiB", "Irecv + Isend + Waitall, 64 KiB", 1 << 16, 60);
    addPair("Send + Recv there and back, 1 MiB", "Irecv + Isend + Waitall, 1 MiB", 1 << 20, 5);
    all.push_back({"Barrier", 2000, [] { PMPI_Barrier(MPI_COMM_WORLD); }, [] { MPI_Barrier(MPI_COMM_WORLD); }});
    addReduction("Allreduce, 8 B", 1, 1500);
    addReduction("Allreduce, 1 KiB", 1 << 7, 700);
    addReduction("Allreduce, 64 KiB", 1 << 13, 40);
    addReduction("Allreduce, 1 MiB", 1 << 17, 4);
    addBroadcast("Bcast, 64 KiB", 1 << 16, 60);
    addBroadcast("Bcast, 1 MiB", 1 << 20, 8);
    return all;
}

/// Measures a call that does nothing, so that only the code in front of the library's call is measured.
void measureBranch(int windowCount) {
    constexpr int repeats = 100'000;
    const auto timeOfTests = [](decltype(&MPI_Test) test) {
        MPI_Request request = MPI_REQUEST_NULL;
        int isDone = 0;
        const auto begin = Clock::now();
        for (int i = 0; i < repeats; ++i) test(&request, &isDone, MPI_STATUS_IGNORE);
        return std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / repeats;
    };
    std::vector<double> differences;
    for (int window = 0; window < windowCount; ++window) {
        const double plain = timeOfTests(PMPI_Test);
        differences.push_back(timeOfTests(MPI_Test) - plain);
    }
    if (rank == 0)
        std::printf("\nMPI_Test of no request, outside of a region: + %.1f ns (median of %d)\n", medianOf(differences), windowCount);
}

void measureRegions(int windowCount) {
    constexpr int repeats = 200;
    std::vector<double> emptyUs, failedUs;
    for (int window = 0; window < windowCount; ++window) {
        emptyUs.push_back(timeOf(repeats, [] { ferry::guarded(MPI_COMM_WORLD, [] {}); }));
        failedUs.push_back(timeOf(10, [] {
            try {
                ferry::guarded(MPI_COMM_WORLD, [] {
                    if (rank == 0) throw 1;
                    MPI_Barrier(MPI_COMM_WORLD);
                });
            } catch (const ferry::ExceptionList&) {}
        }));
    }
    if (rank == 0)
        std::printf("An empty region: %.2f us. One in which rank 0 throws, until all are out: %.0f us.\n", medianOf(emptyUs),
                    medianOf(failedUs));
}

double nowUs() { return std::chrono::duration<double, std::micro>(Clock::now().time_since_epoch()).count(); }

/// Measures the time from a throw until the last rank has caught the exception. The ranks throw in turn. Before the throw a rank waits, so
/// that the other ranks are in their barrier. All ranks read the clock of one host.
void measureThrows(int count) {
    constexpr double headStartUs = 100;
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        std::array<double, 2> thrownAndCaught{};
        try {
            ferry::guarded(MPI_COMM_WORLD, [&] {
                if (rank != i % size) MPI_Barrier(MPI_COMM_WORLD);
                const double begin = nowUs();
                while (nowUs() - begin < headStartUs) {}
                thrownAndCaught[0] = nowUs();
                throw i;
            });
        } catch (const ferry::ExceptionList&) {
            thrownAndCaught[1] = nowUs();
        }
        PMPI_Allreduce(MPI_IN_PLACE, thrownAndCaught.data(), 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        times.push_back(thrownAndCaught[1] - thrownAndCaught[0]);
    }
    std::sort(times.begin(), times.end());
    if (rank == 0)
        std::printf(
            "From a throw until the last of %d ranks has caught it, %d times: median %.0f us, 99 of 100 within %.0f us, at most %.0f us.\n",
            size, count, medianOf(times), times[times.size() * 99 / 100], times.back());
}

}    // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int windowCount = argc > 1 ? std::atoi(argv[1]) : 301;
    if (size < 2 || windowCount < 1) {
        if (rank == 0) std::fputs("usage: mpirun -np 2 benchPmpi [WINDOWS], with two ranks or more, and one window or more\n", stderr);
        MPI_Finalize();
        return 2;
    }
    if (rank == 0)
        std::printf(
            "| operation | PMPI, us: median | outside | in a region | in a region / PMPI | PMPI, us: least | outside | in a region | "
            "in a region / PMPI |\n|---|---|---|---|---|---|---|---|---|\n");
    for (const Operation& operation : operations()) {
        Row row;
        for (int window = 0; window < windowCount; ++window) measure(row, operation);
        if (rank == 0) print(operation, row);
    }
    measureBranch(windowCount);
    measureRegions(windowCount);
    measureThrows(10'000);
    MPI_Finalize();
    return 0;
}

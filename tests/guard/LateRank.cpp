// A program for the watchdog: the last rank computes until a file exists, and so comes late.
//     mpirun -np 3 ferryPmpiLateRank collective|receive|send|requests|end|failure FILE
// The other ranks wait for it meanwhile. Each rank ends with status 0 when everything went right in the end.
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <mpi.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/guard/region/guarded.hpp>

namespace {

constexpr int tag = 7;
constexpr int largeCount = 1'000'000;

struct Ranks {
    int own = 0;
    int size = 0;
    bool isLate() const { return own == size - 1; }
    int late() const { return size - 1; }
};

void computeUntil(const std::string& file) {
    while (!std::filesystem::exists(file)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void collective(const Ranks& at) {
    int sum = 0;
    MPI_Allreduce(&at.own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (sum != at.size * (at.size - 1) / 2) throw std::logic_error("wrong sum");
}

void receive(const Ranks& at) {
    int value = at.own;
    if (at.isLate())
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    else if (at.own == 0)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

void send(const Ranks& at) {
    std::vector<double> values(largeCount);
    if (at.isLate())
        MPI_Recv(values.data(), largeCount, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (at.own == 0)
        MPI_Send(values.data(), largeCount, MPI_DOUBLE, at.late(), tag, MPI_COMM_WORLD);
}

void requests(const Ranks& at) {
    std::array<int, 2> values{at.own, at.own};
    std::array<MPI_Request, 2> started{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (at.isLate()) {
        MPI_Send(values.data(), 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    } else if (at.own == 0) {
        MPI_Irecv(values.data(), 1, MPI_INT, 0, tag + 1, MPI_COMM_WORLD, started.data());
        MPI_Send(values.data() + 1, 1, MPI_INT, 0, tag + 1, MPI_COMM_WORLD);
        MPI_Irecv(values.data() + 1, 1, MPI_INT, at.late(), tag, MPI_COMM_WORLD, started.data() + 1);
        MPI_Waitall(2, started.data(), MPI_STATUSES_IGNORE);
    }
}

void fail(const Ranks& at) {
    if (at.own == 0) throw std::domain_error("expected");
}

}    // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    Ranks at;
    MPI_Comm_rank(MPI_COMM_WORLD, &at.own);
    MPI_Comm_size(MPI_COMM_WORLD, &at.size);
    const std::map<std::string, std::function<void(const Ranks&)>> ways{
        {"collective", collective}, {"receive", receive},         {"send", send},
        {"requests", requests},     {"end", [](const Ranks&) {}}, {"failure", fail}};
    const std::string way = argc > 2 ? argv[1] : "";
    bool isRight = ways.contains(way);
    if (isRight) {
        try {
            ferry::guarded(MPI_COMM_WORLD, [&] {
                if (at.isLate()) computeUntil(argv[2]);
                ways.at(way)(at);
            });
            isRight = way != "failure";
        } catch (const ferry::ExceptionList& failures) {
            isRight = way == "failure" && failures.size() == 1;
        }
    }
    MPI_Finalize();
    return isRight ? 0 : 1;
}

// A program that knows nothing of Ferry, and uses processes and communicators that do not come from MPI_COMM_WORLD: spawned processes,
// ports, sessions. The first argument selects what happens. The last rank is the one that fails.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include <mpi.h>

#include <ferry/tests/guard/preload/PlainMpi.hpp>

namespace {

char* ownName = nullptr;

int sumOn(MPI_Comm communicator) {
    const int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, communicator);
    return sum;
}

/// An intercommunicator with two spawned processes, which run this program with the argument.
MPI_Comm spawned(const char* way) {
    std::string argument = way;
    std::array<char*, 2> arguments{argument.data(), nullptr};
    MPI_Comm children = MPI_COMM_NULL;
    MPI_Comm_spawn(ownName, arguments.data(), 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    return children;
}

MPI_Comm parents() {
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm_get_parent(&parent);
    return parent;
}

/// Messages by requests that stay, to the other group and beside it.
void talkPersistently(MPI_Comm between) {
    std::array<int, 3> values{7, 0, 0};
    std::array<MPI_Request, 3> requests{};
    MPI_Send_init(values.data(), 1, MPI_INT, 0, 4, between, requests.data());
    MPI_Recv_init(&values[1], 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(&values[2], 1, MPI_INT, 0, 4, between, &requests[2]);
    for (int round = 0; round < 2; ++round) {
        values[2] = 0;
        MPI_Startall(2, requests.data());
        MPI_Start(&requests[2]);
        MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
        check(values[2] == 7, "persistent message");
    }
    for (MPI_Request& request : requests) MPI_Request_free(&request);
}

/// Collective calls and messages between two groups of processes, and on a communicator of both.
void talk(MPI_Comm between, bool isHigh) {
    int others = 0;
    MPI_Comm_remote_size(between, &others);
    check(sumOn(between) == others, "sum between the groups");
    int value = rank == 0 ? 7 : 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 0) {
        int received = 0;
        MPI_Irecv(&received, 1, MPI_INT, 0, 3, between, &request);
        MPI_Send(&value, 1, MPI_INT, 0, 3, between);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(received == 7, "message");
        talkPersistently(between);
    }
    MPI_Comm both = MPI_COMM_NULL;
    MPI_Intercomm_merge(between, isHigh ? 1 : 0, &both);
    check(sumOn(both) == size + others, "sum of both groups");
    MPI_Comm_free(&both);
}

/// The even and the odd ranks meet by a port.
void talkByPort() {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    std::array<char, MPI_MAX_PORT_NAME> port{};
    if (rank == 0) MPI_Open_port(MPI_INFO_NULL, port.data());
    MPI_Bcast(port.data(), static_cast<int>(port.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Comm between = MPI_COMM_NULL;
    if (rank % 2 == 0)
        MPI_Comm_accept(port.data(), MPI_INFO_NULL, 0, half, &between);
    else
        MPI_Comm_connect(port.data(), MPI_INFO_NULL, 0, half, &between);
    int others = 0;
    MPI_Comm_remote_size(between, &others);
    check(sumOn(between) == others, "sum by a port");
    MPI_Comm_disconnect(&between);
    if (rank == 0) MPI_Close_port(port.data());
    MPI_Comm_free(&half);
}

#ifdef MPI_SESSION_NULL
/// A communicator of all processes by a session.
void talkBySession() {
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    int count = 0;
    MPI_Group_size(group, &count);
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm_create_from_group(group, "ferry", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &communicator);
    MPI_Group_free(&group);
    check(sumOn(communicator) == count, "sum by a session");
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(communicator, &copy);
    check(sumOn(copy) == count, "sum on the copy");
    MPI_Comm half = MPI_COMM_NULL;
    int own = 0;
    MPI_Comm_rank(copy, &own);
    MPI_Comm_split(copy, own % 2, own, &half);
    check(sumOn(half) == (count + 1 - own % 2) / 2, "sum on a half");
    int received = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(&received, 1, MPI_INT, (own + count - 1) % count, 3, copy, &request);
    MPI_Send(&own, 1, MPI_INT, (own + 1) % count, 3, copy);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(received == (own + count - 1) % count, "message by a session");
    for (MPI_Comm* one : {&half, &copy, &communicator}) MPI_Comm_free(one);
    MPI_Session_finalize(&session);
}
#endif

void throwLate() { throw std::domain_error("the plate is too hot"); }

const std::map<std::string, std::function<void()>>& programs() {
    static const std::map<std::string, std::function<void()>> all{
        {"worksSpawning",
         [] {
             MPI_Comm children = spawned("child");
             talk(children, false);
             MPI_Comm_disconnect(&children);
             sayDone();
         }},
        {"child",
         [] {
             MPI_Comm parent = parents();
             talk(parent, true);
             MPI_Comm_disconnect(&parent);
         }},
        {"throwsBesideChildren",
         [] {
             const MPI_Comm children = spawned("waitingChild");
             check(sumOn(children) == 2, "number of children");
             if (isLast()) throwLate();
             MPI_Barrier(MPI_COMM_WORLD);
         }},
        {"waitingChild",
         [] {
             const MPI_Comm parent = parents();
             sumOn(parent);
             int value = 0;
             MPI_Recv(&value, 1, MPI_INT, 0, 5, parent, MPI_STATUS_IGNORE);    // nobody sends it
         }},
        {"waitsForAChildThatThrows",
         [] {
             const MPI_Comm children = spawned("throwingChild");
             check(sumOn(children) == 2, "number of children");
             int value = 0;
             MPI_Recv(&value, 1, MPI_INT, 0, 5, children, MPI_STATUS_IGNORE);    // nobody sends it
         }},
        {"throwingChild",
         [] {
             sumOn(parents());
             if (isLast()) throwLate();
             MPI_Barrier(MPI_COMM_WORLD);
         }},
        {"worksByPort",
         [] {
             talkByPort();
             sayDone();
         }},
        {"throwsAfterPort",
         [] {
             talkByPort();
             if (isLast()) throwLate();
             sayDone();
         }},
#ifdef MPI_SESSION_NULL
        {"worksBySession",
         [] {
             talkBySession();
             sayDone();
         }},
        {"throwsAfterSession",
         [] {
             talkBySession();
             if (isLast()) throwLate();
             sayDone();
         }},
#endif
    };
    return all;
}

}    // namespace

int main(int argc, char** argv) {
    ownName = argv[0];
    const std::string way = argc == 2 ? argv[1] : "";
#ifdef MPI_SESSION_NULL
    if (way == "worksBySessionAlone") {    // without MPI_Init
        talkBySession();
        std::printf("a session is over\n");
        return 0;
    }
#endif
    const auto found = programs().find(way);
    if (found == programs().end()) return 64;
    const Mpi mpi;
    found->second();
    return 0;
}

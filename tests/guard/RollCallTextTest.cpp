#include <ferry/guard/meeting/rollCallText.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <ferry/guard/known/CallRing.hpp>

using ferry::pmpi::CallRing;
using ferry::pmpi::ranksInWords;
using ferry::pmpi::rollCallText;
using ferry::pmpi::RollNote;

namespace rollCallTexts {

RollNote inCollective(int rank, std::uint64_t number) {
    RollNote note;
    note.rank = rank;
    note.state = RollNote::InCall;
    note.seconds = 40;
    note.number = number;
    note.enteredWorld = number;
    note.communicator = 0;
    note.name.set("MPI_Allreduce");
    note.call.set("MPI_Allreduce on MPI_COMM_WORLD");
    note.place.set("step(int) (solver.cpp:31)");
    note.lastCalls.set("12 x MPI_Isend to 3, MPI_Waitall, MPI_Allreduce 17");
    return note;
}

RollNote inReceive(int rank, int peer) {
    RollNote note;
    note.rank = rank;
    note.state = RollNote::InCall;
    note.seconds = 40;
    note.peer = peer;
    note.name.set("MPI_Recv");
    note.call.set(fmt::format("MPI_Recv for a message from rank {}", peer));
    note.place.set("exchange() (solver.cpp:12)");
    return note;
}

RollNote computing(int rank) {
    RollNote note;
    note.rank = rank;
    note.state = RollNote::Computes;
    note.seconds = 41;
    note.place.set("relax(Grid&) (solver.cpp:88)");
    note.thrown.set("std::domain_error: cell 7 has no volume (solver.cpp:80)");
    return note;
}

std::size_t lineCount(const std::string& text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1; }

bool holds(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}    // namespace rollCallTexts

using namespace rollCallTexts;

TEST_CASE("rollCallText: the odd rank comes first, and the rank that is waited for is named") {
    const std::string text = rollCallText({inCollective(0, 17), inCollective(1, 17), computing(2), inCollective(3, 17)});
    CHECK(text.starts_with("roll call of 4 ranks\n  rank 2: in no call of MPI, at relax(Grid&) (solver.cpp:88) since "));
    CHECK(holds(text, " (41 s)\n      rank 2 has thrown std::domain_error: cell 7 has no volume (solver.cpp:80)\n"));
    CHECK(holds(text, "\n  3 ranks (0-1, 3): in MPI_Allreduce on MPI_COMM_WORLD, at step(int) (solver.cpp:31) since "));
    CHECK(holds(text, "\n      last calls of rank 0: 12 x MPI_Isend to 3, MPI_Waitall, MPI_Allreduce 17"));
    CHECK(text.ends_with("\n  MPI_Allreduce on MPI_COMM_WORLD waits for rank 2"));
}

TEST_CASE("rollCallText: ranks one collective apart are two groups") {
    const std::string text = rollCallText({inCollective(0, 17), inCollective(1, 18)});
    CHECK(holds(text, "\n  rank 0: "));
    CHECK(holds(text, "\n  rank 1: "));
    CHECK(text.ends_with("\n  MPI_Allreduce on MPI_COMM_WORLD waits for rank 0"));
}

TEST_CASE("rollCallText: no rank is said to be missing in a collective that it has passed") {
    RollNote passed = computing(1);
    passed.enteredWorld = 17;
    CHECK(!holds(rollCallText({inCollective(0, 17), passed}), "waits for"));
    passed.enteredWorld = 16;
    CHECK(rollCallText({inCollective(0, 17), passed}).ends_with("\n  MPI_Allreduce on MPI_COMM_WORLD waits for rank 1"));
}

TEST_CASE("rollCallText: nothing is said of ranks that have moved during the roll call") {
    const auto moved = [](RollNote note) {
        note.hasMoved = 1;
        return note;
    };
    CHECK(!holds(rollCallText({inCollective(0, 17), moved(computing(1))}), "waits for"));
    CHECK(!holds(rollCallText({moved(inCollective(0, 17)), computing(1)}), "waits for"));
    CHECK(!holds(rollCallText({inReceive(0, 1), moved(inReceive(1, 0))}), "wait for each other"));
    CHECK(!holds(rollCallText({inReceive(0, 1), moved(computing(1))}), "waits for"));
    CHECK(!holds(rollCallText({moved(inReceive(0, 1)), computing(1)}), "waits for"));
    RollNote inGroup = inCollective(0, 3);
    inGroup.communicator = 65;
    inGroup.communicatorSize = 2;
    CHECK(rollCallText({inGroup, computing(1)}).ends_with("\n  MPI_Allreduce on communicator 65: 1 of 2 ranks are there"));
    CHECK(!holds(rollCallText({inGroup, moved(computing(1))}), "are there"));
}

TEST_CASE("rollCallText: ranks that wait for each other in a circle are told") {
    CHECK(rollCallText({inReceive(0, 1), inReceive(1, 2), inReceive(2, 0), inReceive(3, 0)})
              .ends_with("\n  ranks wait for each other: 0 -> 1 -> 2 -> 0"));
    CHECK(rollCallText({inReceive(0, 0)}).ends_with("\n  rank 0 waits for itself"));
    std::vector<RollNote> ring;
    for (int rank = 0; rank < 100; ++rank) ring.push_back(inReceive(rank, (rank + 1) % 100));
    CHECK(rollCallText(ring).ends_with("\n  100 ranks wait for each other, rank 0 among them"));
}

TEST_CASE("rollCallText: a rank that waits for a rank without a call of MPI is told") {
    CHECK(rollCallText({inReceive(0, 1), computing(1)}).ends_with("\n  rank 0 waits for rank 1: in no call of MPI"));
    RollNote stopped;
    stopped.rank = 1;
    stopped.state = RollNote::Stopped;
    const std::string text = rollCallText({inReceive(0, 1), stopped});
    CHECK(holds(text, "\n  rank 1: stopped by a signal\n"));
    CHECK(text.ends_with("\n  rank 0 waits for rank 1: stopped by a signal"));
}

TEST_CASE("rollCallText: notes of damaged contents give a text") {
    RollNote note;
    note.rank = 1 << 30;
    note.state = 77;
    note.peer = -5;
    note.communicator = 99;
    note.number = 1;
    note.seconds = 1'000'000;
    CHECK(holds(rollCallText({note, note}), "no answer"));
    CHECK(rollCallText({}) == "roll call of 0 ranks");
}

TEST_CASE("rollCallText: 1024 ranks are one page") {
    std::vector<RollNote> notes;
    for (int rank = 0; rank < 1024; ++rank) notes.push_back(rank % 100 == 7 ? computing(rank) : inCollective(rank, 17));
    const std::string few = rollCallText(notes);
    CHECK(lineCount(few) <= 12);
    CHECK(holds(few, "11 ranks (7, 107, 207, 307, 407, 507, 607, 707, and 3 more): in no call of MPI"));
    CHECK(holds(few, "1013 ranks (0-6, "));
    // Each rank stands at another place, the worst case.
    for (RollNote& note : notes) note.place.set(fmt::format("solve<{}>() (solver.cpp:{})", note.rank, note.rank));
    for (int rank = 0; rank < 500; ++rank) notes[static_cast<std::size_t>(rank)] = inReceive(rank, rank ^ 1);
    for (RollNote& note : notes) note.call.set(note.name.get());
    const std::string many = rollCallText(notes);
    CHECK(lineCount(many) <= 60);
    CHECK(holds(many, " more groups"));
    CHECK(holds(many, "500 ranks (0-499): in MPI_Recv"));
    CHECK(holds(many, " more remarks of this kind"));
}

TEST_CASE("ranksInWords: ranks in a row are a range") {
    CHECK(ranksInWords({}).empty());
    CHECK(ranksInWords({3}) == "3");
    CHECK(ranksInWords({0, 1, 2, 5, 7, 8}) == "0-2, 5, 7-8");
}

TEST_CASE("CallRing: the last calls are told, equal ones in a row as one") {
    CallRing& ring = CallRing::ofProcess();
    const std::uint64_t before = ring.progress();
    for (int i = 0; i < 100; ++i) ring.note({.name = "MPI_Isend", .communicator = 0, .peer = 3, .count = 1, .tag = 7});
    ring.note({.name = "MPI_Waitall", .count = 2});
    for (int i = 0; i < 5; ++i) ring.notePoll({.name = "MPI_Test", .count = 1});
    ring.note({.name = "MPI_Bcast", .number = 17, .communicator = 0, .peer = 0, .count = 4});
    CHECK(ring.inWords(6) == "61 x MPI_Isend to 3, MPI_Waitall, MPI_Test, MPI_Bcast 17");
    CHECK(ring.inWords(2) == "MPI_Test, MPI_Bcast 17");
    CHECK(ring.progress() == before + 103);
    CHECK(ferry::pmpi::inWords(ring.last()) == "MPI_Bcast, root 0 on MPI_COMM_WORLD");
    CHECK(ferry::pmpi::inWords({.name = "MPI_Recv", .communicator = 64, .peer = 3, .count = 1, .tag = 7}) ==
          "MPI_Recv from rank 3 (tag 7) on communicator 64");
    CHECK(ferry::pmpi::inWords(CallRing::Call{}).empty());
}

TEST_CASE("CallRing: the wait of a call is forgotten when the call is over") {
    CallRing& ring = CallRing::ofProcess();
    ring.note({.name = "MPI_Waitall", .count = 2});
    CHECK(ring.pending().text.get().empty());
    CallRing::Pending pending;
    pending.text.set("a message from rank 3");
    pending.peer = 3;
    ring.noteWait(pending);
    CHECK(ring.pending().text.get() == "a message from rank 3");
    CHECK(ring.pending().peer == 3);
    ring.noteWaitOver();
    CHECK(ring.pending().text.get().empty());
}

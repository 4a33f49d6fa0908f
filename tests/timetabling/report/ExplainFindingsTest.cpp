#include <ferry/apps/timetabling/report/explainFindings.hpp>

#include <doctest/doctest.h>

using namespace timetabling;

TEST_CASE("Explain: lists the constraints, the worst first, then those concerned most") {
    const Examination examination{{{"Conflicts", true, 1, "course a", "a and b meet: 1 violation"},
                                   {"RoomCapacity", false, 2, "course b", "b has no seat for 2: costs 2"},
                                   {"RoomCapacity", false, 30, "course c", "c has no seat for 30: costs 30"},
                                   {"Compactness", false, 4, "course b", "b stands alone: costs 4"}},
                                  "Conflicts 1\ninfeasible: 1 violation, cost 36\n",
                                  false};
    CHECK(
        explainFindings(examination) ==
        "Conflicts (hard): 1\n  a and b meet: 1 violation\n\n"
        "RoomCapacity (soft): 32\n  c has no seat for 30: costs 30\n  b has no seat for 2: costs 2\n\n"
        "Compactness (soft): 4\n  b stands alone: costs 4\n\n"
        "Concerned most:\n  course a: violations 1, cost 0\n  course c: violations 0, cost 30\n  course b: violations 0, cost 6\n\n"
        "infeasible: 1 violation, cost 36\n");
    CHECK(explainFindings({{}, "Total 0\nfeasible, cost 0\n", true}) == "feasible, cost 0\n");
}

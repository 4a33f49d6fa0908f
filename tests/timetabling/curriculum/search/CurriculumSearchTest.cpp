#include <ferry/apps/timetabling/curriculum/search/CurriculumSearch.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/Generator.hpp>
#include <ferry/tests/support/Sanitizers.hpp>

namespace timetabling::curriculum {

namespace {

/// Returns an instance in which each curriculum is there many times. So a lecture that stands alone costs more than a violation weighs.
Instance manyCurricula(std::uint64_t seed) {
    constexpr int copies = 60;
    GeneratorOptions options;
    options.seed = seed;
    Instance instance = generateInstance(options);
    const std::vector<Curriculum> once = instance.curricula;
    for (int copy = 1; copy < copies; ++copy) {
        for (Curriculum curriculum : once) {
            curriculum.id += "-" + std::to_string(copy);
            instance.curricula.push_back(std::move(curriculum));
        }
    }
    return instance;
}

}    // namespace

TEST_CASE("CurriculumSearch: an annealing that ends nearly feasible does not fall back to its start") {
    for (std::uint64_t seed = 1; seed <= (ferry::test::isSanitized ? 1 : 3); ++seed) {
        const CurriculumSearch search(manyCurricula(seed));
        const Individual built = search.construct(seed, Budget::ofMoves(50'000'000), {});
        REQUIRE(built.isFeasible());
        SearchOrder order;
        order.seed = seed;
        order.budget = Budget::ofMoves(2'000'000);
        const SearchResult result = search.anneal(built.slots, order, {});
        CHECK(result.best.isFeasible());
        CHECK(result.best.cost < built.cost / 3);
    }
}

}    // namespace timetabling::curriculum

#include <ferry/connector/exception/Translator.hpp>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/tests/support/Together.hpp>

using ferry::Translator;

namespace translatortest {

template <int Number>
struct Numbered : std::runtime_error {
    explicit Numbered(const std::string& text) : std::runtime_error(text) {}
};

struct OneBase {};
struct OtherBase {};
struct OfBothBases : OneBase, OtherBase {};

constexpr int threadCount = 4;
constexpr int ownCount = 24;

std::string nameOf(int number) { return "translatortest::Numbered" + std::to_string(number); }

template <int Thread, int... Is>
void addOwn(Translator& translator, std::integer_sequence<int, Is...>) {
    (translator.add<Numbered<Thread * ownCount + Is>, std::runtime_error>(nameOf(Thread * ownCount + Is)), ...);
}

void addOf(int thread, Translator& translator) {
    constexpr std::make_integer_sequence<int, ownCount> own{};
    switch (thread) {
        case 0: return addOwn<0>(translator, own);
        case 1: return addOwn<1>(translator, own);
        case 2: return addOwn<2>(translator, own);
        default: return addOwn<3>(translator, own);
    }
}

}    // namespace translatortest

using namespace translatortest;

TEST_CASE("Translator: several threads add classes, and each class is there") {
    for (int round = 0; round < 50; ++round) {
        Translator translator;
        ferry::test::runTogether(threadCount, [&translator](int thread) { addOf(thread, translator); });
        int missingCount = 0;
        for (int number = 0; number < threadCount * ownCount; ++number) {
            const auto entry = translator.find(nameOf(number));
            if (entry == nullptr || entry->name != nameOf(number)) ++missingCount;
        }
        CHECK(missingCount == 0);
    }
}

TEST_CASE("Translator: of two bases at the same depth, the one that was added first comes first") {
    Translator translator;
    translator.add<OtherBase>("translatortest::OtherBase");
    translator.add<OneBase>("translatortest::OneBase");
    const std::exception_ptr thrown = std::make_exception_ptr(OfBothBases());
    const auto fitting = translator.fitting(ferry::detail::Thrown(thrown));
    REQUIRE(fitting.size() == 2);
    CHECK(fitting.front()->name == "translatortest::OtherBase");
    CHECK(fitting.back()->name == "translatortest::OneBase");
}

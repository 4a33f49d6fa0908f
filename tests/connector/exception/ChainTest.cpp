#include <ferry/connector/exception/Chain.hpp>

#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include <ferry/connector/exception/exceptionToThrow.hpp>
#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

using namespace ferry;

namespace chainTest {

class Overfull : public Exception {
public:
    FERRY_EXCEPTION(chainTest::Overfull)
    FERRY_FIELDS(seats)
    using Exception::Exception;
    int seats = 4;
};
class Flooded : public Overfull {    // without FERRY_EXCEPTION
public:
    using Overfull::Overfull;
    std::string water = "deep";
};

}    // namespace chainTest

TEST_CASE("chain: the exception that is being handled is known by its address; a copy is not") {
    try {
        throw std::out_of_range("here");
    } catch (const std::exception& exception) {
        CHECK(detail::handled(exception) == std::current_exception());
        const std::out_of_range copy("here");
        CHECK(detail::handled(copy) == nullptr);
    }
    CHECK(detail::handled(std::runtime_error("elsewhere")) == nullptr);
}

TEST_CASE("chain: an exception for another rank keeps the name of a class that has no FERRY_EXCEPTION") {
    const chainTest::Flooded flooded("too much");
    try {
        std::rethrow_exception(detail::exceptionToThrow(flooded));
    } catch (const chainTest::Flooded& thrown) {
        CHECK(thrown.water == "deep");
        CHECK(std::string(thrown.what()) == "too much");
    }
    const chainTest::Overfull& asBase = flooded;
    CHECK_THROWS_WITH_AS(detail::exceptionToThrow(asBase), doctest::Contains("known only by a base class"), UsageError);
    CHECK_THROWS_AS(detail::exceptionToThrow(static_cast<const Exception&>(flooded)), UsageError);
    try {
        throw flooded;
    } catch (const chainTest::Overfull& caught) {
        CHECK(detail::exceptionToThrow(caught) == std::current_exception());
    }
    try {
        try {
            throw std::out_of_range("the cause");
        } catch (...) {
            std::throw_with_nested(chainTest::Overfull("full"));
        }
    } catch (const chainTest::Overfull& outer) {
        try {
            throw std::runtime_error("another one is being handled");
        } catch (const std::runtime_error&) {
            CHECK_THROWS_AS(std::rethrow_exception(detail::exceptionToThrow(outer)), chainTest::Overfull);
        }
    }
    const chainTest::Overfull overfull("full");
    CHECK_THROWS_AS(std::rethrow_exception(detail::exceptionToThrow(static_cast<const Exception&>(overfull))), chainTest::Overfull);
}

#include <ferry/connector/exception/Chain.hpp>

#include <stdexcept>

#include <doctest/doctest.h>

using namespace ferry;

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

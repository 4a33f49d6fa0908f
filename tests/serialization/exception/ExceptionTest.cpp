#include <ferry/serialization/exception/Exception.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>

#include <doctest/doctest.h>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/serialization/RoundTrip.hpp>

namespace exceptiontest {

class TooBig : public ferry::Exception {
public:
    FERRY_EXCEPTION(exceptiontest::TooBig)
    FERRY_FIELDS(limit)
    TooBig() = default;
    explicit TooBig(int theLimit) : ferry::Exception("number is over the limit"), limit(theLimit) {}
    int limit = 0;
};

}    // namespace exceptiontest

using exceptiontest::TooBig;
using ferry::Exception;

static_assert(std::is_nothrow_copy_constructible_v<Exception>);

TEST_CASE("Exception: carries its text and where it was made") {
    const Exception exception("no such room");
    CHECK(std::string(exception.what()) == "no such room");
    CHECK(exception.origin().pid != 0);
    CHECK(exception.origin().file.empty());
    CHECK_FALSE(exception.isRemote());
    CHECK(exception.kind() == ferry::ErrorKind::Application);
}

TEST_CASE("Exception: one made without a text knows nothing") {
    const Exception exception;
    CHECK(std::string(exception.what()).empty());
    CHECK(exception.origin() == ferry::Origin{});
    CHECK(exception.cause() == nullptr);
}

TEST_CASE("Exception: FERRY_THROW notes file and line") {
    int line = 0;
    try {
        line = __LINE__ + 1;
        FERRY_THROW(TooBig(30));
    } catch (const TooBig& error) {
        CHECK(error.limit == 30);
        CHECK(error.origin().line == line);
        CHECK(error.origin().file.find("ExceptionTest.cpp") != std::string::npos);
    }
}

TEST_CASE("Exception: restoring marks it remote and leaves copies alone") {
    TooBig original(1);
    const TooBig copy = original;
    original.restore("from afar", {4, "node7", 1, 2, 3, "x.cpp", 5});
    CHECK(original.isRemote());
    CHECK(std::string(original.what()) == "from afar");
    CHECK(original.origin().rank == 4);
    CHECK_FALSE(copy.isRemote());
    CHECK(std::string(copy.what()) == "number is over the limit");
}

TEST_CASE("Exception: the stream holds the data of the subclass only") {
    CHECK(ferry::test::intsOf(Exception("text")).empty());
    CHECK(ferry::test::checkTravel(TooBig(30), {30}).limit == 30);
}

TEST_CASE("Exception: raise throws the dynamic type") {
    const TooBig original(30);
    const Exception& base = original;
    CHECK_THROWS_AS(base.raise(), TooBig);
    CHECK_THROWS_AS(ferry::UsageError("x").raise(), ferry::UsageError);
    CHECK_THROWS_AS(Exception("x").raise(), Exception);
}

TEST_CASE("Exception: raise shows the cause to rethrow_if_nested") {
    TooBig original(30);
    original.setCause(std::make_exception_ptr(std::out_of_range("the die")));
    try {
        original.raise();
    } catch (const TooBig& error) {
        CHECK(error.limit == 30);
        CHECK(error.classId() == ferry::detail::classIdOf("exceptiontest::TooBig"));
        CHECK(error.cause() != nullptr);
        CHECK_THROWS_WITH_AS(std::rethrow_if_nested(error), "the die", std::out_of_range);
    }
}

TEST_CASE("Exception: the factory makes exceptions by their IDs, Ferry's own ones from the start") {
    const auto& factory = ferry::ObjectFactory::global();
    CHECK(factory.createAs<Exception>(ferry::detail::classIdOf("exceptiontest::TooBig")) != nullptr);
    for (const char* name :
         {"ferry::Exception", "ferry::UsageError", "ferry::SerializationError", "ferry::UnknownClass", "ferry::AssertionFailure"}) {
        CHECK(std::string(factory.createAs<Exception>(ferry::detail::classIdOf(name))->className()) == name);
    }
}

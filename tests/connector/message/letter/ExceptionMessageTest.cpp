#include <ferry/connector/message/letter/ExceptionMessage.hpp>

#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>
#include <vector>

#include <doctest/doctest.h>
#include <boost/system/system_error.hpp>

#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/exception/ErrorCodes.hpp>
#include <ferry/connector/exception/Remote.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/tests/connector/Carried.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

template <class E>
std::exception_ptr thrown(const E& exception) {
    return std::make_exception_ptr(exception);
}

class Shy : public Exception {
public:
    FERRY_EXCEPTION(Shy)
    explicit Shy(const std::string& text) : Exception(text) {}
    Shy() = default;
    void writeToInts(IntWriter&) const override { throw std::logic_error("cannot be written"); }
    void readFromInts(IntReader&) override {}
};

class LocalRangeError : public std::range_error {
public:
    using std::range_error::range_error;
};

}    // namespace

TEST_CASE("ExceptionMessage: a class of one's own arrives with its data, and says where it was thrown") {
    try {
        std::rethrow_exception(carried(thrown(Overloaded(30, {"A", "B-12"}))));
    } catch (const Overloaded& e) {
        CHECK(e.limit == 30);
        CHECK(e.rooms == std::vector<std::string>{"A", "B-12"});
        CHECK(e.isRemote());
        CHECK(typeid(e) == typeid(Overloaded));
        CHECK(originOf(e) == &e.origin());
    }
}

TEST_CASE("ExceptionMessage: one that was made without a text still says where it comes from") {
    try {
        std::rethrow_exception(carried(thrown(Overloaded())));
    } catch (const Overloaded& e) {
        CHECK_FALSE(e.origin().host.empty());
        CHECK(e.origin().pid > 0);
    }
}

TEST_CASE("ExceptionMessage: a chain of causes comes back as a chain") {
    const auto nest = [](int depth, const auto& self) -> void {
        if (depth == 0) throw Overloaded(0, {});
        try {
            self(depth - 1, self);
        } catch (...) {
            if (depth % 2 == 0) std::throw_with_nested(std::out_of_range("depth " + std::to_string(depth)));
            std::throw_with_nested(Overloaded(depth, {}));
        }
    };
    std::exception_ptr exception;
    try {
        nest(16, nest);
    } catch (...) {
        exception = std::current_exception();
    }
    const std::vector<std::exception_ptr> chain = detail::chainOf(carried(exception));
    REQUIRE(chain.size() == 17);
    for (int i = 0; i < 17; ++i) {
        const int depth = 16 - i;
        try {
            std::rethrow_exception(chain[static_cast<std::size_t>(i)]);
        } catch (const std::out_of_range& e) {
            CHECK(depth % 2 == 0);
            CHECK(e.what() == "depth " + std::to_string(depth));
        } catch (const Overloaded& e) {
            CHECK(e.limit == depth);
        }
    }
    try {
        std::rethrow_exception(carried(exception));
    } catch (const std::out_of_range& outer) {
        CHECK_THROWS_AS(std::rethrow_if_nested(outer), Overloaded);
    }
}

TEST_CASE("ExceptionMessage: an unknown class derived from a standard one arrives as that, under its own name") {
    try {
        std::rethrow_exception(carried(carried(thrown(LocalRangeError("too far")))));
    } catch (const std::range_error& e) {
        CHECK(e.what() == std::string("too far"));
        CHECK(typeNameOf(e).find("LocalRangeError") != std::string::npos);
    }
}

TEST_CASE("ExceptionMessage: whatever else is thrown arrives as an UnknownException with the type's name") {
    try {
        std::rethrow_exception(carried(std::make_exception_ptr(42)));
    } catch (const UnknownException& e) {
        CHECK(e.typeName() == "int");
        CHECK(e.what() == std::string("an exception of type int"));
        CHECK(e.isRemote());
    }
    try {
        std::rethrow_exception(carried(std::make_exception_ptr(static_cast<const char*>("text"))));
    } catch (const UnknownException& e) {
        CHECK(e.what() == std::string("text"));
    }
}

TEST_CASE("ExceptionMessage: one whose own writing throws arrives as what could be saved") {
    try {
        std::rethrow_exception(carried(thrown(Shy("hidden"))));
    } catch (const UnknownException& e) {
        CHECK(e.typeName() == "Shy");
        CHECK(e.what() == std::string("hidden"));
    }
}

TEST_CASE("ExceptionMessage: a class that the receiver does not know arrives under its name") {
    ObjectFactory stranger;
    try {
        std::rethrow_exception(carried(thrown(Overloaded(1, {})), stranger));
    } catch (const UnknownException& e) {
        CHECK(e.typeName() == "ferry::test::Overloaded");
        CHECK(e.what() == std::string("more than there is room for"));
    }
}

TEST_CASE("Translator: a third party's class is added in a few lines, and arrives as itself") {
    Translator::global().add<boost::system::system_error, std::runtime_error>(
        "boost::system::system_error", [](IntWriter& out, const boost::system::system_error& e) { out.writeInt(e.code().value()); },
        [](IntReader& in, RemoteInformation information) {
            return Remote<boost::system::system_error>(std::move(information),
                                                       boost::system::error_code(in.readInt(), boost::system::generic_category()));
        });
    const boost::system::system_error original(boost::system::errc::make_error_code(boost::system::errc::timed_out), "asking");
    try {
        std::rethrow_exception(carried(thrown(original)));
    } catch (const boost::system::system_error& e) {
        CHECK(e.code() == original.code());
        CHECK(e.what() == std::string(original.what()));
    }
}

TEST_CASE("ErrorCodes: a category that only the thrower knows comes back by name; one that was added comes back itself") {
    static const struct Own final : std::error_category {
        const char* name() const noexcept override { return "weather"; }
        std::string message(int) const override { return "rain"; }
    } weather;
    try {
        std::rethrow_exception(carried(thrown(std::system_error(7, weather, "out"))));
    } catch (const std::system_error& e) {
        CHECK(e.code().value() == 7);
        CHECK(e.code().category().name() == std::string("weather"));
    }
    addErrorCategory(weather);
    try {
        std::rethrow_exception(carried(thrown(std::system_error(7, weather, "out"))));
    } catch (const std::system_error& e) {
        CHECK(e.code() == std::error_code(7, weather));
    }
}

TEST_CASE("ExceptionMessage: every truncated form is refused") {
    const std::vector<std::int32_t> ints = written(ExceptionMessage(thrown(Overloaded(30, {"A"}))));
    for (std::size_t length = 0; length < ints.size(); ++length) {
        IntReader in(std::span<const std::int32_t>(ints).first(length));
        ExceptionMessage message;
        CHECK_THROWS_AS(message.readFromInts(in), SerializationError);
    }
}

TEST_CASE("ExceptionMessage: with each int changed it is refused, or arrives as some exception; never a crash") {
    const std::vector<std::int32_t> ints = written(ExceptionMessage(thrown(Overloaded(30, {"A", "B"}))));
    const std::array<std::int32_t, 6> values{
        0, 1, -1, 0x7fffffff, detail::classIdOf("ferry::test::Ping"), detail::classIdOf("ferry::UsageError")};
    for (std::size_t at = 0; at < ints.size(); ++at) {
        for (const std::int32_t value : values) {
            std::vector<std::int32_t> changed = ints;
            changed[at] = value;
            IntReader in(changed);
            ExceptionMessage message;
            try {
                message.readFromInts(in);
                in.expectEnd();
            } catch (const SerializationError&) {
                continue;
            }
            static_cast<void>(message.rebuild());
        }
    }
}

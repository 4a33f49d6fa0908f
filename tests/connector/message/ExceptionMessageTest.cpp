#include <ferry/connector/message/ExceptionMessage.hpp>

#include <any>
#include <array>
#include <filesystem>
#include <functional>
#include <future>
#include <ios>
#include <memory>
#include <new>
#include <optional>
#include <regex>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>
#include <variant>
#include <vector>

#include <doctest/doctest.h>
#include <boost/system/system_error.hpp>

#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/exception/ErrorCodes.hpp>
#include <ferry/connector/exception/Remote.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/serialization/IntBuffer.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

std::vector<std::int32_t> written(const ExceptionMessage& message) {
    IntBuffer buffer;
    IntWriter out(buffer);
    message.writeToInts(out);
    out.finish();
    return {buffer.ints().begin(), buffer.ints().end()};
}

/// Through ints and back, as between two ranks.
std::exception_ptr carried(const std::exception_ptr& exception, const ObjectFactory& factory = ObjectFactory::global(),
                           const Translator& translator = Translator::global()) {
    const std::vector<std::int32_t> ints = written(ExceptionMessage(exception, translator));
    IntReader in(ints, factory);
    ExceptionMessage message;
    message.readFromInts(in);
    in.expectEnd();
    return message.rebuild(factory, translator);
}

template <class E>
std::exception_ptr thrown(const E& exception) {
    return std::make_exception_ptr(exception);
}

/// Sends one through; a handler for E itself must catch it, and what() must be equal.
template <class E>
void checkArrives(const E& exception) {
    INFO(typeid(E).name());
    const std::exception_ptr arrived = carried(thrown(exception));
    try {
        std::rethrow_exception(arrived);
    } catch (const E& caught) {
        CHECK(std::string(caught.what()) == exception.what());
        REQUIRE(originOf(caught) != nullptr);
        CHECK(originOf(caught)->pid > 0);
        CHECK(originOf(exception) == nullptr);
        CHECK(typeNameOf(caught) == typeNameOf(exception));
        const auto* remote = dynamic_cast<const Remote<E>*>(&caught);
        CHECK_MESSAGE(remote != nullptr, "rebuilt as that very class, and none more derived");
    } catch (...) {
        FAIL_CHECK("a handler for the class itself did not catch it");
    }
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

TEST_CASE("ExceptionMessage: every standard exception class arrives as itself, with its text") {
    checkArrives(std::exception());
    checkArrives(std::logic_error("l"));
    checkArrives(std::domain_error("d"));
    checkArrives(std::invalid_argument("i"));
    checkArrives(std::length_error("le"));
    checkArrives(std::out_of_range("vector index 7"));
    checkArrives(std::runtime_error(""));
    checkArrives(std::range_error("r"));
    checkArrives(std::overflow_error("o"));
    checkArrives(std::underflow_error("u"));
    checkArrives(std::future_error(std::future_errc::broken_promise));
    checkArrives(std::regex_error(std::regex_constants::error_brack));
    checkArrives(std::system_error(std::make_error_code(std::errc::permission_denied), "opening x"));
    checkArrives(std::ios_base::failure("stream"));
    checkArrives(std::filesystem::filesystem_error("copy", "/a", "/b", std::make_error_code(std::errc::no_such_file_or_directory)));
    checkArrives(std::bad_alloc());
    checkArrives(std::bad_array_new_length());
    checkArrives(std::bad_cast());
    checkArrives(std::bad_any_cast());
    checkArrives(std::bad_typeid());
    checkArrives(std::bad_exception());
    checkArrives(std::bad_function_call());
    checkArrives(std::bad_weak_ptr());
    checkArrives(std::bad_optional_access());
    checkArrives(std::bad_variant_access());
}

TEST_CASE("ExceptionMessage: codes, categories and paths arrive equal") {
    try {
        std::rethrow_exception(carried(thrown(std::system_error(std::make_error_code(std::errc::permission_denied), "x"))));
    } catch (const std::system_error& e) {
        CHECK(e.code() == std::errc::permission_denied);
        CHECK(&e.code().category() == &std::generic_category());
    }
    try {
        std::rethrow_exception(
            carried(thrown(std::filesystem::filesystem_error("copy", "/a", "/b", std::make_error_code(std::errc::io_error)))));
    } catch (const std::filesystem::filesystem_error& e) {
        CHECK(e.path1() == "/a");
        CHECK(e.path2() == "/b");
    }
    try {
        std::rethrow_exception(carried(thrown(std::regex_error(std::regex_constants::error_brack))));
    } catch (const std::regex_error& e) {
        CHECK(e.code() == std::regex_constants::error_brack);
    }
    try {
        std::rethrow_exception(carried(thrown(std::future_error(std::future_errc::no_state))));
    } catch (const std::future_error& e) {
        CHECK(e.code() == std::future_errc::no_state);
    }
}

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
    const std::vector<std::exception_ptr> chain = chainOf(carried(exception));
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
    const std::array<std::int32_t, 6> values{0, 1, -1, 0x7fffffff, classIdOf("ferry::test::Ping"), classIdOf("ferry::UsageError")};
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

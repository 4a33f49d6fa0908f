#include <ferry/connector/exception/Translator.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <typeinfo>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/connector/Carried.hpp>
#include <ferry/tests/connector/TestMessages.hpp>
#include <ferry/tests/connector/exception/StandardSamples.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

/// A class of the program with data. The class is not a ferry::Exception.
class QuotaExceeded : public std::runtime_error {
public:
    FERRY_FIELDS(user, bytes)
    QuotaExceeded() : std::runtime_error("over the quota") {}
    QuotaExceeded(std::string theUser, long theBytes) : QuotaExceeded() {
        user = std::move(theUser);
        bytes = theBytes;
    }
    std::string user;
    long bytes = 0;
};

class Final final : public std::out_of_range {
public:
    explicit Final(const std::string& text) : std::out_of_range(text) {}
};

/// A class that is no std::exception at all.
struct Signal {
    FERRY_FIELDS(number)
    int number = 0;
};

/// Both bases are std::exceptions, so `catch (const std::exception&)` does not catch this class.
class Both : public std::out_of_range, public std::bad_cast {
public:
    explicit Both(const std::string& text) : std::out_of_range(text) {}
    const char* what() const noexcept override { return std::out_of_range::what(); }
};

class OwnFinal final : public Exception {
public:
    FERRY_EXCEPTION(OwnFinal)
    FERRY_FIELDS(number)
    OwnFinal() = default;
    explicit OwnFinal(int theNumber) : Exception("final"), number(theNumber) {}
    int number = 0;
};

struct Detail {
    virtual ~Detail() = default;
    int depth = 0;
};

class OwnOfTwo : public Detail, public Overloaded {
public:
    FERRY_EXCEPTION(OwnOfTwo)
    FERRY_FIELDS_AFTER(Overloaded, depth)
    OwnOfTwo() = default;
    explicit OwnOfTwo(int theDepth) : Overloaded(5, {"A"}) { depth = theDepth; }
};

/// A ferry::Exception that standard handlers catch as well.
class OwnOutOfRange : public Exception, public std::out_of_range {
public:
    FERRY_EXCEPTION(OwnOutOfRange)
    FERRY_FIELDS(index)
    OwnOutOfRange() : std::out_of_range("") {}
    explicit OwnOutOfRange(int theIndex) : Exception("no such index"), std::out_of_range("no such index"), index(theIndex) {}
    const char* what() const noexcept override { return Exception::what(); }
    int index = 0;
};

class WithoutMacro : public Overloaded {
    using Overloaded::Overloaded;
};

/// An exception that cannot be written, cannot be copied on the receiving rank, and cannot be made from the ints.
class Unwritable : public std::overflow_error {
public:
    FERRY_FIELDS(user)
    Unwritable() : std::overflow_error("cannot be written") {}
    struct User {
        void writeToInts(IntWriter&) const { throw std::logic_error("no"); }
        void readFromInts(IntReader&) {}
    } user;
};

class Unreadable : public std::overflow_error {
public:
    Unreadable() : std::overflow_error("cannot be read") {}
    void writeToInts(IntWriter& out) const { out << 1; }
    void readFromInts(IntReader&) { throw std::logic_error("no"); }
};

class OwnUncopyable : public Exception {
public:
    FERRY_EXCEPTION(OwnUncopyable)
    OwnUncopyable() = default;
    explicit OwnUncopyable(const std::string& text) : Exception(text) {}
    OwnUncopyable(const OwnUncopyable& other) : Exception(other) {
        if (isRemote()) throw std::logic_error("no copies");
    }
};

struct WildText : std::exception {
    const char* what() const noexcept override { return reinterpret_cast<const char*>(std::uintptr_t{8}); }
};
struct OwnWildText : Exception {
    const char* what() const noexcept override { return reinterpret_cast<const char*>(std::uintptr_t{8}); }
};

class Nameless : public std::exception {
public:
    const char* what() const noexcept override { return nullptr; }
};

template <class E, class Check>
void expectCaught(const std::exception_ptr& exception, Check check) {
    try {
        std::rethrow_exception(exception);
    } catch (const E& caught) {
        check(caught);
    } catch (...) {
        FAIL_CHECK("not caught as a " << typeid(E).name());
    }
}

void addOwnClasses() {
    Translator& translator = Translator::global();
    translator.add<QuotaExceeded, std::runtime_error>("test::QuotaExceeded");
    translator.add<Final, std::out_of_range>("test::Final");
    translator.add<Signal>("test::Signal");
    translator.add<Both, std::out_of_range>("test::Both");
    translator.add<Unwritable, std::overflow_error>("test::Unwritable");
    translator.add<Unreadable, std::overflow_error>("test::Unreadable");
}

}    // namespace

TEST_CASE("type fidelity: each standard exception is caught by handlers for its class and its bases, and by no other") {
    std::size_t count = 0;
    forEachStandardSample([&]<class E>(const E& sample) {
        INFO(typeid(E).name());
        ++count;
        std::exception_ptr exception = std::make_exception_ptr(sample);
        for (int hop = 0; hop < 2; ++hop) {
            exception = carried(exception);
            CHECK(StandardCatchTable::isCaughtLike<E>(exception));
            expectCaught<E>(exception, [&](const E& caught) {
                CHECK(std::string(caught.what()) == sample.what());
                CHECK(haveEqualDetails(caught, sample));
                CHECK(typeNameOf(caught) == typeNameOf(sample));
                REQUIRE(originOf(caught) != nullptr);
                CHECK_FALSE(originOf(caught)->host.empty());
            });
        }
    });
    CHECK(count >= 25);
}

TEST_CASE("type fidelity: a registered class that is no ferry::Exception arrives as that very class, with data and origin") {
    addOwnClasses();
    const std::exception_ptr arrived = carried(carried(thrownBy([] { throw QuotaExceeded("ada", 1L << 40); })));
    expectCaught<QuotaExceeded>(arrived, [](const QuotaExceeded& caught) {
        CHECK(typeid(caught) == typeid(QuotaExceeded));
        CHECK(caught.user == "ada");
        CHECK(caught.bytes == 1L << 40);
        CHECK(caught.what() == std::string("over the quota"));
        REQUIRE(originOf(caught) != nullptr);
        CHECK(originOf(caught)->pid > 0);
    });
}

TEST_CASE("type fidelity: final classes, own and foreign") {
    addOwnClasses();
    expectCaught<Final>(carried(thrownBy([] { throw Final("index 9"); })), [](const Final& caught) {
        CHECK(caught.what() == std::string("index 9"));
        CHECK(originOf(caught) != nullptr);
    });
    expectCaught<OwnFinal>(carried(thrownBy([] { throw OwnFinal(6); })), [](const OwnFinal& caught) {
        CHECK(caught.number == 6);
        CHECK(caught.isRemote());
    });
}

TEST_CASE("type fidelity: multiple inheritance, own and foreign") {
    addOwnClasses();
    expectCaught<OwnOfTwo>(carried(thrownBy([] { throw OwnOfTwo(3); })), [](const OwnOfTwo& caught) {
        CHECK(typeid(caught) == typeid(OwnOfTwo));
        CHECK(caught.depth == 3);
        CHECK(caught.rooms == std::vector<std::string>{"A"});
    });
    expectCaught<std::out_of_range>(carried(thrownBy([] { throw OwnOutOfRange(7); })), [](const std::out_of_range& caught) {
        const auto* own = dynamic_cast<const OwnOutOfRange*>(&caught);
        REQUIRE(own != nullptr);
        CHECK(own->index == 7);
        CHECK(own->isRemote());
        CHECK(caught.what() == std::string("no such index"));
    });
    const std::exception_ptr both = carried(thrownBy([] { throw Both("two"); }));
    expectCaught<Both>(both, [](const Both& caught) { CHECK(caught.what() == std::string("two")); });
    CHECK(detail::Thrown(both).typeName().find("Both") != std::string::npos);
}

TEST_CASE("type fidelity: a class that is no std::exception can be registered too") {
    addOwnClasses();
    const std::exception_ptr arrived = carried(carried(thrownBy([] { throw Signal{15}; })));
    expectCaught<Signal>(arrived, [](const Signal& caught) { CHECK(caught.number == 15); });
    CHECK(detail::Thrown(arrived).origin().pid > 0);
    CHECK(detail::Thrown(arrived).typeName().find("Signal") != std::string::npos);
}

TEST_CASE("type fidelity: unknown classes arrive as the nearest known one, under their own names") {
    const std::exception_ptr arrived = carried(carried(thrownBy([] { throw WithoutMacro(4, {}); })));
    expectCaught<Overloaded>(arrived, [](const Overloaded& caught) {
        CHECK(caught.limit == 4);
        CHECK(typeNameOf(caught).find("WithoutMacro") != std::string::npos);
    });
    Translator empty;
    expectCaught<UnknownException>(carried(thrownBy([] { throw std::out_of_range("x"); }), ObjectFactory::global(), empty),
                                   [](const UnknownException& caught) {
                                       CHECK(caught.typeName() == "std::out_of_range");
                                       CHECK(caught.what() == std::string("x"));
                                   });
}

TEST_CASE("type fidelity: what cannot be written arrives as its base, what cannot be read or copied as an UnknownException") {
    addOwnClasses();
    expectCaught<std::overflow_error>(carried(thrownBy([] { throw Unwritable(); })), [](const std::overflow_error& caught) {
        CHECK(typeNameOf(caught).find("Unwritable") != std::string::npos);
        CHECK(caught.what() == std::string("cannot be written"));
    });
    expectCaught<UnknownException>(carried(thrownBy([] { throw Unreadable(); })), [](const UnknownException& caught) {
        CHECK(caught.typeName().find("Unreadable") != std::string::npos);
        CHECK(caught.what() == std::string("cannot be read"));
    });
    expectCaught<UnknownException>(carried(thrownBy([] { throw OwnUncopyable("one only"); })), [](const UnknownException& caught) {
        CHECK(caught.typeName() == "OwnUncopyable");
        CHECK(caught.what() == std::string("one only"));
    });
    expectCaught<std::exception>(carried(thrownBy([] { throw Nameless(); })),
                                 [](const std::exception& caught) { CHECK(caught.what() == std::string()); });
}

TEST_CASE("type fidelity: an exception that cannot be read or copied keeps its cause") {
    addOwnClasses();
    const auto causedBy = [](const std::exception_ptr& cause, const auto& raise) {
        return thrownBy([&] {
            try {
                std::rethrow_exception(cause);
            } catch (...) {
                raise();
            }
        });
    };
    const std::exception_ptr quota = thrownBy([] { throw QuotaExceeded("ada", 5); });
    const std::exception_ptr uncopyable = causedBy(quota, [] {
        OwnUncopyable error("one only");
        error.setCause(std::current_exception());
        throw error;
    });
    const std::exception_ptr unreadable = causedBy(uncopyable, [] { std::throw_with_nested(Unreadable()); });
    std::exception_ptr arrived = unreadable;
    for (int hop = 0; hop < 2; ++hop) {
        arrived = carried(arrived);
        const std::vector<std::exception_ptr> chain = detail::chainOf(arrived);
        REQUIRE(chain.size() == 3);
        expectCaught<UnknownException>(
            chain[0], [](const UnknownException& caught) { CHECK(caught.typeName().find("Unreadable") != std::string::npos); });
        expectCaught<UnknownException>(chain[1], [](const UnknownException& caught) { CHECK(caught.typeName() == "OwnUncopyable"); });
        expectCaught<QuotaExceeded>(chain[2], [](const QuotaExceeded& caught) { CHECK(caught.user == "ada"); });
    }
}

TEST_CASE("type fidelity: numbers, literals and strings arrive as UnknownException with type and text") {
    const auto check = [](const std::exception_ptr& thrown, const std::string& typeName, const std::string& text) {
        expectCaught<UnknownException>(carried(carried(thrown)), [&](const UnknownException& caught) {
            CHECK(caught.typeName() == typeName);
            CHECK(caught.what() == text);
        });
    };
    check(thrownBy([] { throw 42; }), "int", "an exception of type int");
    check(thrownBy([] { throw "text"; }), "char const*", "text");
    check(thrownBy([] { throw u8"text"; }), "char8_t const*", "text");
    check(thrownBy([] { throw static_cast<const char*>(nullptr); }), "char const*", "null");
    const std::string wild = "<a text at address 0x8, where no memory is>";
    check(thrownBy([] { throw reinterpret_cast<const char*>(std::uintptr_t{8}); }), "char const*", wild);
    check(thrownBy([] { throw reinterpret_cast<char*>(std::uintptr_t{8}); }), "char*", wild);
    check(thrownBy([] { throw reinterpret_cast<const char8_t*>(std::uintptr_t{8}); }), "char8_t const*", wild);
    for (const std::exception_ptr& thrown : {thrownBy([] { throw WildText(); }), thrownBy([] { throw OwnWildText(); })})
        expectCaught<std::exception>(carried(carried(thrown)), [&](const std::exception& caught) { CHECK(caught.what() == wild); });
    check(thrownBy([] { throw std::string("string"); }), detail::Thrown(std::make_exception_ptr(std::string())).typeName(), "string");
}

TEST_CASE("type fidelity: registered classes may have causes and may be causes") {
    addOwnClasses();
    const std::exception_ptr arrived = carried(carried(thrownBy([] {
        try {
            throw QuotaExceeded("eve", 1);
        } catch (...) {
            std::throw_with_nested(QuotaExceeded("bob", 2));
        }
    })));
    expectCaught<QuotaExceeded>(arrived, [](const QuotaExceeded& outer) {
        CHECK(outer.user == "bob");
        CHECK(typeNameOf(outer).find("Nested") == std::string::npos);
        const std::exception_ptr cause = thrownBy([&] { std::rethrow_if_nested(outer); });
        REQUIRE(cause);
        expectCaught<QuotaExceeded>(cause, [](const QuotaExceeded& inner) {
            CHECK(inner.user == "eve");
            CHECK(typeid(inner) == typeid(QuotaExceeded));
        });
    });
}

TEST_CASE("Translator: a name that another class has is refused, and repeating an addition is not") {
    Translator translator;
    translator.add<Final, std::out_of_range>("test::Final");
    translator.add<Final, std::out_of_range>("test::Final");
    CHECK_THROWS_AS((translator.add<Both, std::out_of_range>("test::Final")), UsageError);
}

#include <cstdint>
#include <memory>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/Chain.hpp>
#include <ferry/connector/exception/ErrorCodes.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/transport/ThreadTransport.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/tests/connector/Carried.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

/// An exception whose class refuses to read its data back. The class reports this with a standard exception, not with one of Ferry's.
class Stubborn : public Exception {
public:
    FERRY_EXCEPTION(Stubborn)
    Stubborn() = default;
    explicit Stubborn(const std::string& text) : Exception(text) {}
    void writeToInts(IntWriter& out) const override { out << 7; }
    void readFromInts(IntReader&) override { throw std::invalid_argument("no"); }
};

/// Posts a control letter with these ints to a rank. Returns the text of the rank's error.
std::string textOfControl(detail::MessageKind kind, const std::vector<std::int32_t>& body) {
    const std::vector<std::unique_ptr<detail::Transport>> transports = detail::threadTransports(1);
    detail::Mailbox mailbox(*transports.front(), ObjectFactory::global());
    mailbox.post(0, detail::Channel::Control, detail::Envelope{kind, 0, 0}, [&](IntWriter& out) { out.writeInts(body); });
    try {
        mailbox.poll();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "nothing was thrown";
}

}    // namespace

TEST_CASE("ExceptionMessage: one that holds no exception is refused") {
    CHECK(textOfControl(detail::MessageKind::Exception, {0}) == "int 0: expected a chain of 1 to 65536 exceptions, found 0");
}

TEST_CASE("ExceptionMessage: the longest chain that is written is read, a longer one is refused") {
    std::vector<std::int32_t> link = written(ExceptionMessage(std::make_exception_ptr(Exception("one of many"))));
    link.erase(link.begin());
    for (const std::int32_t length : {65'536, 65'537, 200'000}) {
        std::vector<std::int32_t> ints{length};
        for (std::int32_t i = 0; i < length; ++i) ints.insert(ints.end(), link.begin(), link.end());
        IntReader in(ints);
        ExceptionMessage message;
        if (length <= 65'536) {
            message.readFromInts(in);
            CHECK(in.remaining() == 0);
        } else {
            CHECK_THROWS_AS(message.readFromInts(in), SerializationError);
        }
    }
}

TEST_CASE("ExceptionMessage: when the class refuses its data with any exception, what could be saved arrives") {
    const std::vector<std::int32_t> ints = written(ExceptionMessage(std::make_exception_ptr(Stubborn("the failure"))));
    IntReader in(ints);
    ExceptionMessage message;
    message.readFromInts(in);
    try {
        std::rethrow_exception(message.rebuild());
    } catch (const UnknownException& error) {
        CHECK(std::string(error.what()) == "the failure");
        CHECK(error.typeName() == "Stubborn");
    }
}

TEST_CASE("Mailbox: what is left over behind an exception or a reason to stop is an error") {
    std::vector<std::int32_t> ints = written(ExceptionMessage(std::make_exception_ptr(Exception("the failure"))));
    CHECK(textOfControl(detail::MessageKind::Exception, ints) == "the failure");
    ints.push_back(5);
    CHECK(textOfControl(detail::MessageKind::Exception, ints).find("expected the end, found 1 more int") != std::string::npos);
    CHECK(textOfControl(detail::MessageKind::Stop, {0, 5}).find("expected the end, found 1 more int") != std::string::npos);
}

TEST_CASE("ErrorCodes: the name of a category is not kept for good when it is very long") {
    for (const std::size_t length : {100u, 100'000u}) {
        const std::string name(length, 'x');
        IntBuffer buffer;
        IntWriter out(buffer);
        out << name << 5;
        out.finish();
        IntReader in(buffer.ints());
        CHECK(detail::readErrorCode(in).category().name() == (length == 100 ? name : std::string("other")));
    }
}

TEST_CASE("ExceptionMessage: a regex_error with a code that is none arrives as what could be saved") {
    std::vector<std::int32_t> ints =
        written(ExceptionMessage(std::make_exception_ptr(std::regex_error(std::regex_constants::error_brack))));
    for (const std::int32_t code : {static_cast<std::int32_t>(std::regex_constants::error_paren), 16, -1, 1'836'280'141}) {
        ints.back() = code;
        IntReader in(ints);
        ExceptionMessage message;
        message.readFromInts(in);
        const bool isCode = code == std::regex_constants::error_paren;
        try {
            std::rethrow_exception(message.rebuild());
        } catch (const std::regex_error& error) {
            CHECK(isCode);
            CHECK(error.code() == std::regex_constants::error_paren);
        } catch (const UnknownException&) {
            CHECK(!isCode);
        }
    }
}

// Throws many exceptions, converts each one to ints and back, and catches it. A message in between must arrive unchanged.
// With AddressSanitizer, the program also shows that no memory leaks.
//     ferryThrownRoundTrips COUNT
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <ferry/connector/exception/Remote.hpp>
#include <ferry/connector/exception/UnknownException.hpp>
#include <ferry/serialization/exception/Context.hpp>
#include <ferry/tests/connector/Carried.hpp>
#include <ferry/tests/connector/TestMessages.hpp>

using namespace ferry;
using namespace ferry::test;

namespace {

/// Makes one round trip. Returns whether the exception arrived with its class and data.
using Trip = bool (*)(int number);

template <class E>
bool arrivesAs(const std::exception_ptr& thrown, const std::function<bool(const E&)>& isRight) {
    try {
        std::rethrow_exception(carried(thrown));
    } catch (const E& caught) {
        return originOf(caught) != nullptr && isRight(caught);
    } catch (...) {
        return false;
    }
}

bool ownTrip(int number) {
    return arrivesAs<Overloaded>(thrownBy([&] {
                                     throw Overloaded(number, {"A", "B-12"});
                                 }),
                                 [&](const Overloaded& e) { return e.limit == number && e.rooms.size() == 2; });
}

bool standardTrip(int number) {
    const std::string text = "index " + std::to_string(number);
    return arrivesAs<std::out_of_range>(thrownBy([&] { throw std::out_of_range(text); }),
                                        [&](const std::out_of_range& e) { return e.what() == text; });
}

bool codeTrip(int) {
    return arrivesAs<std::system_error>(thrownBy([] { throw std::system_error(std::make_error_code(std::errc::io_error), "reading"); }),
                                        [](const std::system_error& e) { return e.code() == std::errc::io_error; });
}

bool nestedTrip(int number) {
    const auto context = ferry::context("number", number);
    const std::exception_ptr thrown = thrownBy([&] {
        try {
            throw Overloaded(number, {});
        } catch (...) {
            std::throw_with_nested(std::logic_error("outer"));
        }
    });
    return arrivesAs<std::logic_error>(thrown, [&](const std::logic_error& e) {
        const std::exception_ptr cause = thrownBy([&] { std::rethrow_if_nested(e); });
        const Overloaded* inner = cause ? detail::Thrown(cause).as<Overloaded>() : nullptr;
        return inner != nullptr && inner->limit == number && inner->origin().context.size() == 1;
    });
}

bool unknownTrip(int) {
    return arrivesAs<UnknownException>(thrownBy([] { throw 42; }), [](const UnknownException& e) { return e.typeName() == "int"; });
}

bool doMessagesArrive() {
    const Letterhead sent("between two exceptions", {1.5, 2.5});
    IntBuffer buffer;
    IntWriter out(buffer);
    out << sent;
    out.finish();
    IntReader in(buffer.ints());
    Letterhead received;
    in >> received;
    return in.remaining() == 0 && received.title == sent.title && received.values == sent.values;
}

}    // namespace

int main(int argumentCount, char** arguments) {
    const int count = argumentCount > 1 ? std::atoi(arguments[1]) : 1000;
    const std::vector<Trip> trips{ownTrip, standardTrip, codeTrip, nestedTrip, unknownTrip};
    for (int number = 0; number < count; ++number) {
        const bool isRight = trips[static_cast<std::size_t>(number) % trips.size()](number) && doMessagesArrive();
        if (isRight) continue;
        std::fprintf(stderr, "round trip %d went wrong\n", number);
        return 1;
    }
    std::printf("%d round trips\n", count);
    return 0;
}

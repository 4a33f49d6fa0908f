#include <ferry/framework/parcel/TaskNotice.hpp>

#include <ferry/connector/exception/NoMemoryForMessage.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

namespace ferry::detail {

std::vector<std::int32_t> numbersIn(const Letter& letter) {
    std::vector<std::int32_t> numbers;
    IntReader in(letter.body());
    in >> numbers;
    in.expectEnd();
    return numbers;
}

void sendNotice(Mailbox& mailbox, int rank, TaskNotice notice, const std::vector<std::int32_t>& numbers, std::int32_t number) {
    mailbox.postNow(rank, mailbox.pack(Envelope{JobKind::TaskNotice, static_cast<std::int32_t>(notice), number},
                                       [&numbers](IntWriter& out) { out << numbers; }));
}

void sendRaised(Mailbox& mailbox, int rank, std::int32_t task, const std::exception_ptr& exception) {
    const ExceptionMessage message(exception);    // Flow B: exception -> message
    mailbox.postNow(rank, mailbox.pack(Envelope{JobKind::TaskNotice, static_cast<std::int32_t>(TaskNotice::Raised), task},
                                       [&message](IntWriter& out) { out << message; }));
}

std::exception_ptr exceptionIn(const Letter& raised, const ObjectFactory& factory) {
    try {
        IntReader in(raised.body(), factory);
        const std::exception_ptr exception = ExceptionMessage::read(in);
        if (!exception) throw SerializationError("expected an exception that is thrown in a task, found none");
        return exception;
    } catch (const SerializationError&) {
        return std::current_exception();
    } catch (const NoMemoryForMessage&) {
        return std::current_exception();
    }
}

}    // namespace ferry::detail

#pragma once

#include <exception>

#include <ferry/connector/exception/PackedException.hpp>
#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/connector/message/letter/SimpleMessage.hpp>
#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry {

/// Carries an exception, with the chain of its causes, to another rank.
///
/// As a task its reply is a SimpleMessage, for instance the solution. A subclass has FERRY_CLASS,
/// FERRY_FIELDS_AFTER(ferry::ExceptionMessage, ...) if it adds fields, and a Reply of its own if it is a task with another reply.
class ExceptionMessage : public Message {
public:
    FERRY_CLASS_DECLARED(ferry::ExceptionMessage)
    using Reply = SimpleMessage;

    void writeToInts(IntWriter& out) const override;
    void readFromInts(IntReader& in) override;

    ExceptionMessage() = default;

    /// The constructor does not fail, whatever the functions of the exception throw (PackedException).
    explicit ExceptionMessage(const std::exception_ptr& exception, const Translator& translator = Translator::global())
        : packed_(exception, translator) {}

    /// Reads a message that fills the rest of the reader, and makes its exception again. Errors: SerializationError for damaged ints.
    static std::exception_ptr read(IntReader& in);

    /// Makes the exception again. Null for a message that holds none.
    std::exception_ptr rebuild(const ObjectFactory& factory = ObjectFactory::global(),
                               const Translator& translator = Translator::global()) const {
        return packed_.rebuild(factory, translator);
    }

private:
    detail::PackedException packed_;
};

}    // namespace ferry

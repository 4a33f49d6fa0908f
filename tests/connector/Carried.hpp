#pragma once

#include <cstdint>
#include <exception>
#include <vector>

#include <ferry/connector/exception/Translator.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>
#include <ferry/tests/support/ThrownBy.hpp>

namespace ferry::test {

inline std::vector<std::int32_t> written(const ExceptionMessage& message) {
    IntBuffer buffer;
    IntWriter out(buffer);
    message.writeToInts(out);
    out.finish();
    return {buffer.ints().begin(), buffer.ints().end()};
}

/// Converts the exception to ints and back, as a transfer between two ranks does.
inline std::exception_ptr carried(const std::exception_ptr& exception, const ObjectFactory& factory = ObjectFactory::global(),
                                  const Translator& translator = Translator::global()) {
    const std::vector<std::int32_t> ints = written(ExceptionMessage(exception, translator));
    IntReader in(ints, factory);
    ExceptionMessage message;
    message.readFromInts(in);
    in.expectEnd();
    return message.rebuild(factory, translator);
}

}    // namespace ferry::test

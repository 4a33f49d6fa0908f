#include <ferry/connector/message/letter/ExceptionMessage.hpp>

#include <ferry/serialization/ints/IntReader.hpp>

FERRY_CLASS_DEFINED(ferry::ExceptionMessage)

namespace ferry {

void ExceptionMessage::writeToInts(IntWriter& out) const { packed_.writeToInts(out); }

void ExceptionMessage::readFromInts(IntReader& in) { packed_.readFromInts(in); }

std::exception_ptr ExceptionMessage::read(IntReader& in) {
    ExceptionMessage message;
    message.readFromInts(in);
    in.expectEnd();
    return message.rebuild(in.factory());
}

}    // namespace ferry

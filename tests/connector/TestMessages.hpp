#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ferry/connector/message/letter/Message.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/Exception.hpp>

namespace ferry::test {

/// A message with text and numbers.
class Letterhead : public Message {
public:
    FERRY_CLASS(ferry::test::Letterhead)
    FERRY_FIELDS(title, values)
    Letterhead() = default;
    Letterhead(std::string theTitle, std::vector<double> theValues) : title(std::move(theTitle)), values(std::move(theValues)) {}
    std::string title;
    std::vector<double> values;
};

class Ping : public Message {
public:
    FERRY_CLASS(ferry::test::Ping)
    FERRY_FIELDS(number)
    Ping() = default;
    explicit Ping(int theNumber) : number(theNumber) {}
    int number = 0;
};

class Overloaded : public Exception {
public:
    FERRY_EXCEPTION(ferry::test::Overloaded)
    FERRY_FIELDS(limit, rooms)
    Overloaded() = default;
    Overloaded(int theLimit, std::vector<std::string> theRooms)
        : Exception("more than there is room for"),
          limit(theLimit),
          rooms(std::move(theRooms)) {}
    int limit = 0;
    std::vector<std::string> rooms;
};

}    // namespace ferry::test

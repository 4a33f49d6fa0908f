// EXPECT fail::Pong
// EXPECT this message only inherits FERRY_CLASS, so that it would arrive as its base class: add FERRY_CLASS(...) to it
#include <ferry/connector/Connector.hpp>

namespace fail {

class Ping : public ferry::Message {
public:
    FERRY_CLASS(fail::Ping)
    FERRY_FIELDS(number)
    int number = 0;
};

class Pong : public Ping {};

void receive(ferry::Connector& connector) { connector.receive<Pong>(0); }

}    // namespace fail

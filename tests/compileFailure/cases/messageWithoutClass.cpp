// EXPECT fail::Ping
// EXPECT cannot declare variable
// EXPECT FERRY_CLASS(...) in the class defines it
#include <ferry/connector/Connector.hpp>

namespace fail {

class Ping : public ferry::Message {
public:
    FERRY_FIELDS(number)
    int number = 0;
};

void send(ferry::Connector& connector) {
    Ping ping;
    connector.send(1, ping);
}

}    // namespace fail

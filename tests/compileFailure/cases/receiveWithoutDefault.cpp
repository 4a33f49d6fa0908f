// EXPECT [with T = fail::Seat]
// EXPECT ferry: the type (see T) needs a default constructor, since the receiver makes an object and reads into it
#include <ferry/connector/Connector.hpp>

namespace fail {

class Seat {
public:
    explicit Seat(int row) : row_(row) {}
    FERRY_FIELDS(row_)
private:
    int row_;
};
void call(ferry::Connector& c) { c.receive<Seat>(0); }

}    // namespace fail

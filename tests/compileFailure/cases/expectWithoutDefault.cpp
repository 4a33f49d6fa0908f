// EXPECT [with T = fail::Seat]
// EXPECT ferry: the type (see T) needs a default constructor
#include <ferry/connector/Connector.hpp>

namespace fail {

class Seat {
public:
    explicit Seat(int row) : row_(row) {}
    FERRY_FIELDS(row_)
private:
    int row_;
};
void call(ferry::Connector& c) { static_cast<void>(c.expect<Seat>(0)); }

}    // namespace fail

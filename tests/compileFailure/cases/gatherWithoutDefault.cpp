// EXPECT [with T = fail::Seat]
// EXPECT ferry: the type (see T) needs a default constructor
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace fail {

class Seat {
public:
    explicit Seat(int row) : row_(row) {}
    FERRY_FIELDS(row_)
private:
    int row_;
};
void call(ferry::Connector& c) { c.gather(std::vector<Seat>()); }

}    // namespace fail

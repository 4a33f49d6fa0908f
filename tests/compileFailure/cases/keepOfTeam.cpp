// EXPECT ferry: the result of a team does not stay with a slave
#include <ferry/framework/master/Master.hpp>

namespace fail {

struct Solve {
    int number = 0;
    using Reply = int;
};

void call(ferry::Master& master) { master.submit(Solve{1}, ferry::ranks(2), ferry::Keep{}); }

}    // namespace fail

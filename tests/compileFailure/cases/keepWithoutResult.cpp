// EXPECT ferry: a task without a result has nothing that stays with a slave: submit it without ferry::Keep{}
#include <ferry/framework/master/Master.hpp>

namespace fail {

struct Note {
    int number = 0;
    using Reply = void;
};

void call(ferry::Master& master) { master.submit(Note{1}, ferry::Keep{}); }

}    // namespace fail

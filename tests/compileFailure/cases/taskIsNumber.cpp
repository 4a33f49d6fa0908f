// EXPECT a task is an object of a class: a struct that names its Reply, or a ferry::Message
#include <ferry/framework/master/Master.hpp>

namespace fail {

void use(ferry::Master& master) {
    auto future = master.submit(12);
    static_cast<void>(future.get());
}

}    // namespace fail

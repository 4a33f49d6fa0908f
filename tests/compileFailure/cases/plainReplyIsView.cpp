// EXPECT string_view
// EXPECT a view (see T) owns nothing on the rank that gets it
#include <string_view>

#include <ferry/framework/master/Master.hpp>
#include <ferry/framework/slave/Slave.hpp>

namespace fail {

struct Word {
    int number = 0;
    using Reply = std::string_view;
};

void define(ferry::Slave& slave) {
    slave.on<Word>([](const Word&) { return std::string_view("word"); });
}

void use(ferry::Master& master) {
    auto future = master.submit(Word{12});
    static_cast<void>(future.get());
}

}    // namespace fail

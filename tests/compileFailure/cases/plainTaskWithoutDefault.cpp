// EXPECT fail::Square
// EXPECT the type (see T) needs a default constructor
#include <ferry/framework/master/Master.hpp>

namespace fail {

class Square {
public:
    FERRY_FIELDS(number_)
    using Reply = long;
    explicit Square(int number) : number_(number) {}

private:
    int number_;
};

void use(ferry::Master& master) {
    auto future = master.submit(Square(12));
    static_cast<void>(future.get());
}

}    // namespace fail

#pragma once

namespace a {

class b {
public:
    b(int first, int second) : second_(second), first_(first) {}

private:
    int second_;
    int first_;
};

}    // namespace a

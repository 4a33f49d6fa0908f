#include <ferry/connector/collective/Ordered.hpp>

#include <cstdio>
#include <iostream>

namespace ferry::detail {

void flushOutput() {
    std::cout.flush();
    std::fflush(stdout);
}

}    // namespace ferry::detail

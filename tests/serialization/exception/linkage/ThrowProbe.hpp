#pragma once

namespace ferry::test {

/// How many frames of the stack are known of what the function throws; -1 when the throw was not recorded.
int frameCountOf(void (*function)());

}    // namespace ferry::test

#pragma once

namespace ferry::test {

/// Number of recorded stack frames of the exception that the function throws; -1 when the throw was not recorded.
int frameCountOf(void (*function)());

}    // namespace ferry::test

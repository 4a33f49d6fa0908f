#include <till/Till.hpp>

FERRY_EXCEPTION_DEFINED(Shortage)

long pay(int coins) {
    if (coins > 10) throw Shortage(coins - 10);
    return 10 - coins;
}

// Adds to the largest int, which a build with the sanitizer must tell.
#include <cstdio>
#include <limits>

int main(int argumentCount, char**) {
    const int sum = std::numeric_limits<int>::max() + argumentCount;
    std::printf("%d\n", sum);
}

// A module that is loaded and unloaded by StackWalkTest. Two modules of this source differ by the size of the frame of their function only.
#include <array>

extern "C" void ferryTestCallBack(void (*function)(void*), void* argument) {
    std::array<char, FERRY_TEST_FRAME_BYTES> frame;
    asm volatile("" ::"r"(frame.data()) : "memory");
    function(argument);
    asm volatile("" ::"r"(frame.data()) : "memory");
}

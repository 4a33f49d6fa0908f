// The rules of a function whose table has each instruction of DWARF that Ferry knows. Compilers use few of them.
#include <ferry/serialization/exception/stack/FrameRule.hpp>

#if defined(__x86_64__) && defined(__linux__)

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

// Each nop is a place of one byte, at which the rules hold that stand before it. Register 6 is the frame pointer, 7 the stack pointer, 16
// the return address. No code runs here.
asm(R"(
    .text
    .globl ferryTestRules
    .hidden ferryTestRules
    .type ferryTestRules, @function
ferryTestRules:
    .cfi_startproc
    nop
    .cfi_def_cfa_offset 24
    nop
    .cfi_def_cfa_register 6
    nop
    .cfi_offset 6, -16
    nop
    .cfi_same_value 6
    nop
    .cfi_register 6, 3
    nop
    .cfi_restore 6
    nop
    .cfi_escape 0x10, 6, 2, 0x77, 0
    nop
    .cfi_restore 6
    nop
    .cfi_escape 0x16, 6, 2, 0x77, 0
    nop
    .cfi_escape 0x06, 6
    nop
    .cfi_def_cfa 7, 8
    .cfi_escape 0x05, 6, 3
    nop
    .cfi_escape 0x11, 6, 4
    nop
    .cfi_escape 0x0f, 2, 0x77, 8
    nop
    .cfi_def_cfa 7, 40
    nop
    .cfi_remember_state
    .cfi_remember_state
    .cfi_remember_state
    .cfi_remember_state
    .cfi_remember_state
    .cfi_remember_state
    .cfi_remember_state
    .cfi_def_cfa_offset 48
    .cfi_remember_state
    .cfi_def_cfa_offset 56
    nop
    .cfi_restore_state
    nop
    .cfi_restore_state
    nop
    .cfi_escape 0x2e, 16
    .fill 100, 1, 0x90
    .cfi_def_cfa_offset 64
    nop
    .cfi_undefined 16
    nop
    .cfi_offset 16, -8
    nop
    .cfi_escape 0x3f
    nop
    .cfi_endproc
    .size ferryTestRules, .-ferryTestRules
)");

extern "C" const char ferryTestRules[];

using ferry::detail::FrameRule;

TEST_CASE("FrameRule: each instruction of the tables has its meaning") {
    const auto stack = [](std::uint32_t bytes, std::uint32_t savedFramePointer = 0) {
        return FrameRule{FrameRule::Kind::Simple, false, bytes, savedFramePointer};
    };
    const auto frame = [](std::uint32_t bytes, std::uint32_t savedFramePointer = 0) {
        return FrameRule{FrameRule::Kind::Simple, true, bytes, savedFramePointer};
    };
    const FrameRule unknown;
    std::vector<FrameRule> expected{stack(8),     stack(24), frame(24),     frame(24, 16), frame(24),     unknown,
                                    frame(24),    unknown,   frame(24),     unknown,       frame(24),     stack(8, 24),
                                    stack(8, 32), unknown,   stack(40, 32), stack(56, 32), stack(48, 32), stack(40, 32)};
    expected.insert(expected.end(), 100, stack(40, 32));
    expected.push_back(stack(64, 32));
    FrameRule outermost;
    outermost.kind = FrameRule::Kind::Outermost;
    expected.push_back(outermost);
    expected.push_back(stack(64, 32));
    expected.push_back(unknown);
    const auto begin = reinterpret_cast<std::uintptr_t>(&ferryTestRules[0]);
    for (std::size_t place = 0; place < expected.size(); ++place) {
        CAPTURE(place);
        const FrameRule found = FrameRule::at(begin + place + 1);    // a return address lies behind its call
        CHECK(found.kind == expected[place].kind);
        CHECK(found == expected[place]);
    }
}

#endif

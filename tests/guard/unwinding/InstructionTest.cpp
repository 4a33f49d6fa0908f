#include <ferry/guard/unwinding/Instruction.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using ferry::pmpi::Instruction;
using Kind = Instruction::Kind;

#if defined(__x86_64__)

namespace {

/// An instruction with further bytes behind it.
struct Decoded {
    explicit Decoded(std::vector<std::uint8_t> code) : bytes(std::move(code)) {
        size = bytes.size();
        bytes.resize(size + 16, 0x90);
        instruction = Instruction::at(bytes);
    }
    bool isWhole() const { return instruction.next == address() + size; }
    std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(bytes.data()); }

    std::vector<std::uint8_t> bytes;
    std::size_t size = 0;
    Instruction instruction;
};

}    // namespace

TEST_CASE("Instruction: plain ones of all lengths") {
    const std::vector<std::vector<std::uint8_t>> all{
        {0x55},                                              // push %rbp
        {0x48, 0x89, 0xc7},                                  // mov %rax,%rdi
        {0x48, 0x8d, 0x05, 1, 2, 3, 0},                      // lea 0x30201(%rip),%rax
        {0x48, 0x8b, 0x44, 0x24, 0x18},                      // mov 0x18(%rsp),%rax
        {0x48, 0x8b, 0x04, 0xc5, 1, 0, 0, 0},                // mov 0x1(,%rax,8),%rax
        {0xc7, 0x84, 0x24, 1, 0, 0, 0, 2, 0, 0, 0},          // movl $2,0x1(%rsp)
        {0x66, 0xc7, 0x00, 1, 0},                            // movw $1,(%rax)
        {0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8},                // movabs
        {0xb8, 1, 0, 0, 0},                                  // mov $1,%eax
        {0x66, 0xb8, 1, 0},                                  // mov $1,%ax
        {0xf6, 0xc1, 1},                                     // test $1,%cl
        {0xf6, 0xd9},                                        // neg %cl
        {0xf7, 0xc1, 1, 0, 0, 0},                            // test $1,%ecx
        {0x48, 0xf7, 0xd8},                                  // neg %rax
        {0xf3, 0x0f, 0x1e, 0xfa},                            // endbr64
        {0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0},       // nop
        {0x0f, 0x11, 0x44, 0x24, 0x10},                      // movups %xmm0,0x10(%rsp)
        {0x66, 0x0f, 0x70, 0xc0, 0xe4},                      // pshufd
        {0x66, 0x0f, 0x3a, 0x0f, 0xc1, 8},                   // palignr
        {0x66, 0x0f, 0x38, 0x00, 0xc1},                      // pshufb
        {0x0f, 0xb6, 0x07},                                  // movzbl (%rdi),%eax
        {0xf0, 0x0f, 0xc1, 0x47, 0x08},                      // lock xadd
        {0xc5, 0xf8, 0x77},                                  // vzeroupper
        {0xc5, 0xfb, 0x10, 0x05, 1, 2, 3, 4},                // vmovsd 0x4030201(%rip),%xmm0
        {0xc4, 0xe3, 0x7d, 0x19, 0xc1, 1},                   // vextractf128
        {0xc4, 0xe2, 0x79, 0x18, 0x00},                      // vbroadcastss
        {0x62, 0xf1, 0x7c, 0x48, 0x11, 0x44, 0x24, 0x01},    // vmovups %zmm0,0x40(%rsp)
        {0x62, 0xf3, 0xfd, 0x48, 0x1b, 0xc1, 1},             // vextractf64x4
        {0xdd, 0x05, 1, 2, 3, 4},                            // fldl
        {0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0},       // mov %fs:0x28,%rax
        {0xc8, 1, 0, 0},                                     // enter
        {0xa1, 1, 2, 3, 4, 5, 6, 7, 8},                      // movabs 0x0807060504030201,%eax
    };
    for (const auto& bytes : all) {
        const Decoded decoded(bytes);
        CAPTURE(static_cast<int>(bytes[0]));
        CAPTURE(bytes.size());
        CHECK(decoded.instruction.kind == Kind::Plain);
        CHECK(decoded.isWhole());
    }
}

TEST_CASE("Instruction: where branches, jumps and calls lead") {
    struct Case {
        std::vector<std::uint8_t> bytes;
        Kind kind;
        std::ptrdiff_t distance;    // distance from the next instruction to the target
        bool isTargetThere = false;
    };
    const std::vector<Case> all{
        {{0x74, 0x10}, Kind::Branch, 0x10},
        {{0x0f, 0x84, 0xf0, 0xff, 0xff, 0xff}, Kind::Branch, -0x10},
        {{0xe3, 0x02}, Kind::Branch, 2},
        {{0xeb, 0xfe}, Kind::Jump, -2},
        {{0xe9, 0, 1, 0, 0}, Kind::Jump, 0x100},
        {{0xf2, 0xe9, 0, 1, 0, 0}, Kind::Jump, 0x100},
        {{0xe8, 0, 1, 0, 0}, Kind::Call, 0x100},
        {{0xff, 0x15, 8, 0, 0, 0}, Kind::Call, 8, true},
        {{0xff, 0x25, 8, 0, 0, 0}, Kind::Jump, 8, true},
        {{0xf2, 0xff, 0x25, 8, 0, 0, 0}, Kind::Jump, 8, true},
    };
    for (const Case& one : all) {
        const Decoded decoded(one.bytes);
        CAPTURE(static_cast<int>(one.bytes[0]));
        CHECK(decoded.isWhole());
        CHECK(decoded.instruction.kind == one.kind);
        CHECK(decoded.instruction.target == decoded.instruction.next + static_cast<std::uintptr_t>(one.distance));
        CHECK(decoded.instruction.isTargetThere == one.isTargetThere);
    }
}

TEST_CASE("Instruction: targets that are computed are not known") {
    for (const std::vector<std::uint8_t>& bytes :
         {std::vector<std::uint8_t>{0xff, 0xe0}, {0x3e, 0xff, 0xe0}, {0xff, 0x24, 0xc5, 0, 0, 0, 0}}) {
        const Decoded decoded(bytes);
        CHECK(decoded.instruction.kind == Kind::Jump);
        CHECK(decoded.instruction.target == 0);
        CHECK(decoded.isWhole());
    }
    const Decoded decoded({0xff, 0x50, 0x08});    // call *0x8(%rax)
    CHECK(decoded.instruction.kind == Kind::Call);
    CHECK(decoded.instruction.target == 0);
}

TEST_CASE("Instruction: instructions that end a function, unknown ones, and ones that are cut off") {
    for (const std::uint8_t code : {0xc3, 0xcc, 0xf4}) CHECK(Decoded({code}).instruction.kind == Kind::Stop);
    CHECK(Decoded({0x0f, 0x0b}).instruction.kind == Kind::Stop);    // ud2
    for (const std::uint8_t code : {0x06, 0x27, 0x60, 0x82, 0x9a, 0xce, 0xd4, 0xea})
        CHECK(Decoded({code}).instruction.kind == Kind::Unknown);
    const std::vector<std::uint8_t> early{0x48, 0x8d, 0x05, 1, 2};
    CHECK(Instruction::at(early).kind == Kind::Unknown);
    CHECK(Instruction::at({}).kind == Kind::Unknown);
}

#elif defined(__aarch64__)

namespace {

/// Instructions at their own addresses.
struct Words {
    explicit Words(std::vector<std::uint32_t> code) : words(std::move(code)) {
        words.resize(words.size() + 4, 0xd503201f);    // nop
        instruction = Instruction::at({reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * sizeof(std::uint32_t)});
    }
    std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(words.data()); }

    std::vector<std::uint32_t> words;
    Instruction instruction;
};

}    // namespace

TEST_CASE("Instruction: where branches, jumps and calls lead") {
    struct Case {
        std::uint32_t word;
        Kind kind;
        std::intptr_t distance;    // distance to the target; 0: the target is computed
    };
    const std::vector<Case> all{
        {0xd503201f, Kind::Plain, 0},        // nop
        {0xaa0003f3, Kind::Plain, 0},        // mov x19, x0
        {0x94000010, Kind::Call, 0x40},      // bl
        {0x97fffffe, Kind::Call, -8},        // bl
        {0x14000004, Kind::Jump, 0x10},      // b
        {0x54000080, Kind::Branch, 0x10},    // b.eq
        {0xb4000080, Kind::Branch, 0x10},    // cbz x0
        {0x3707ffe0, Kind::Branch, -4},      // tbnz w0, #0
        {0xd61f0220, Kind::Jump, 0},         // br x17
        {0xd63f0020, Kind::Call, 0},         // blr x1
        {0xd65f03c0, Kind::Stop, 0},         // ret
        {0xd4200000, Kind::Stop, 0},         // brk
        {0xd4000001, Kind::Plain, 0},        // svc
        {0x00000000, Kind::Stop, 0},         // udf
    };
    for (const Case& one : all) {
        CAPTURE(one.word);
        const Words words({one.word});
        CHECK(words.instruction.kind == one.kind);
        CHECK(words.instruction.next == words.address() + 4);
        const std::uintptr_t target = one.distance != 0 ? words.address() + static_cast<std::uintptr_t>(one.distance) : 0;
        CHECK(words.instruction.target == target);
    }
    CHECK(Instruction::at({}).kind == Kind::Unknown);
}

TEST_CASE("Instruction: the way out of a module that the linker makes") {
    const Words words({0x90000010, 0xf9400a11, 0x91004210, 0xd61f0220});    // the jump uses the address at 16 bytes behind the begin of
                                                                            // this page
    CHECK(words.instruction.kind == Kind::Jump);
    CHECK(words.instruction.isTargetThere);
    CHECK(words.instruction.target == (words.address() & ~std::uintptr_t{0xfff}) + 16);
}

#endif

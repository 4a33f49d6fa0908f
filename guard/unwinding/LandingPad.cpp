#include <ferry/guard/unwinding/LandingPad.hpp>

#include <cxxabi.h>
#include <unwind.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <optional>
#include <string_view>
#include <unordered_set>

#include <ferry/guard/unwinding/FunctionTables.hpp>
#include <ferry/guard/unwinding/Instruction.hpp>
#include <ferry/guard/unwinding/LoadedModule.hpp>

namespace ferry::pmpi {

namespace {

/// The effect of a called function on an exception.
enum class Callee { Other, Resumes, Catches, Terminates, CatchesAndTerminates, NeverReturns };

struct NamedCallee {
    std::string_view name;
    Callee callee;
};

constexpr std::array<NamedCallee, 16> namedCallees{{
    {"_Unwind_Resume", Callee::Resumes},
    {"__cxa_begin_catch", Callee::Catches},
    {"_ZSt9terminatev", Callee::Terminates},
    {"__cxa_call_terminate", Callee::CatchesAndTerminates},    // of g++ 14
    {"__cxa_call_unexpected", Callee::Terminates},
    {"abort", Callee::NeverReturns},
    {"exit", Callee::NeverReturns},
    {"_exit", Callee::NeverReturns},
    {"__assert_fail", Callee::NeverReturns},
    {"__stack_chk_fail", Callee::NeverReturns},
    {"__cxa_throw", Callee::NeverReturns},
    {"__cxa_rethrow", Callee::NeverReturns},
    {"__cxa_bad_cast", Callee::NeverReturns},
    {"__cxa_bad_typeid", Callee::NeverReturns},
    {"__cxa_pure_virtual", Callee::NeverReturns},
    {"__cxa_throw_bad_array_new_length", Callee::NeverReturns},
}};

Callee calleeOf(std::string_view name) {
    const auto named = std::find_if(namedCallees.begin(), namedCallees.end(), [name](const NamedCallee& one) { return one.name == name; });
    if (named != namedCallees.end()) return named->callee;
    const bool isThrowing = name.starts_with("_ZSt") && name.find("__throw_") != std::string_view::npos;    // of libstdc++
    return isThrowing || name.starts_with("__asan_report_") ? Callee::NeverReturns : Callee::Other;
}

/// The function whose address the loader writes to this place.
Callee calleeThrough(std::uintptr_t place) {
    const std::optional<LoadedModule> module = LoadedModule::around(place);
    return module ? calleeOf(module->importAt(place)) : Callee::Other;
}

/// Reads instructions, and keeps the module of the last one.
class CodeReader {
public:
    Instruction at(std::uintptr_t address) {
        if (!module_ || !module_->isCode(address)) module_ = LoadedModule::around(address);
        return module_ && module_->isCode(address) ? Instruction::at(module_->bytesFrom(address)) : Instruction();
    }

    Callee calleeOf(const Instruction& instruction) {
        if (instruction.target == 0) return Callee::Other;
        if (instruction.isTargetThere) return calleeThrough(instruction.target);
        const Callee callee = runtimeCalleeAt(instruction.target);
        return callee == Callee::Other && catchesAndTerminates(instruction.target) ? Callee::CatchesAndTerminates : callee;
    }

    /// The runtime function at an address: the function itself if it is linked statically, otherwise the stub that the linker makes for it.
    Callee runtimeCalleeAt(std::uintptr_t address) {
        if (address == reinterpret_cast<std::uintptr_t>(&std::terminate)) return Callee::Terminates;
        if (address == reinterpret_cast<std::uintptr_t>(&_Unwind_Resume)) return Callee::Resumes;
        if (address == reinterpret_cast<std::uintptr_t>(&abi::__cxa_begin_catch)) return Callee::Catches;
        Instruction instruction = at(address);
        if (instruction.kind == Instruction::Kind::Plain) instruction = at(instruction.next);    // skips the instruction that marks a jump
                                                                                                 // target
        const bool isWayOut = instruction.kind == Instruction::Kind::Jump && instruction.isTargetThere;
        return isWayOut ? calleeThrough(instruction.target) : Callee::Other;
    }

private:
    /// Whether the function catches and terminates. clang++ makes such a function, __clang_call_terminate, which no other module knows.
    bool catchesAndTerminates(std::uintptr_t address) {
        constexpr int instructionsAtMost = 8;
        bool hasCaught = false;
        for (int count = 0; count < instructionsAtMost; ++count) {
            const Instruction instruction = at(address);
            address = instruction.next;
            if (instruction.kind == Instruction::Kind::Plain) continue;
            if (instruction.kind != Instruction::Kind::Call) return false;
            const Callee callee = instruction.isTargetThere ? calleeThrough(instruction.target) : runtimeCalleeAt(instruction.target);
            if (callee != (hasCaught ? Callee::Terminates : Callee::Catches)) return false;
            if (hasCaught) return true;
            hasCaught = true;
        }
        return false;
    }

    std::optional<LoadedModule> module_;
};

/// Follows all paths from a landing pad.
class PadReader {
public:
    LandingPad read(std::uintptr_t pad) {
        constexpr std::size_t instructionsAtMost = 10'000;
        open_.push_back(pad);
        while (!open_.empty()) {
            const std::uintptr_t address = open_.back();
            open_.pop_back();
            if (!seen_.insert(address).second) continue;
            if (seen_.size() > instructionsAtMost) found_.isUnclear = true;
            if (found_.isUnclear) break;
            follow(code_.at(address));
        }
        return found_;
    }

private:
    void follow(const Instruction& instruction) {
        switch (instruction.kind) {
            case Instruction::Kind::Unknown: found_.isUnclear = true; return;
            case Instruction::Kind::Stop: return;
            case Instruction::Kind::Plain: open_.push_back(instruction.next); return;
            case Instruction::Kind::Branch:
                open_.push_back(instruction.next);
                open_.push_back(instruction.target);
                return;
            case Instruction::Kind::Call: return followCall(instruction);
            case Instruction::Kind::Jump: return followJump(instruction);
        }
    }

    void followCall(const Instruction& instruction) {
        const Callee callee = code_.calleeOf(instruction);
        if (callee != Callee::Other) return noteCallee(instruction, callee);
        const std::optional<FunctionTables> function = FunctionTables::at(instruction.next - 1);
        const bool isLast = function && instruction.next >= function->end;    // the call is the function's last instruction, so it does not
                                                                              // return
        if (!isLast) open_.push_back(instruction.next);
    }

    void followJump(const Instruction& instruction) {
        const bool isDirect = instruction.target != 0 && !instruction.isTargetThere;
        const Callee callee = isDirect ? code_.runtimeCalleeAt(instruction.target) : code_.calleeOf(instruction);
        if (callee != Callee::Other) return noteCallee(instruction, callee);
        if (isDirect)
            open_.push_back(instruction.target);
        else
            found_.isUnclear = true;
    }

    void noteCallee(const Instruction& instruction, Callee callee) {
        if (callee == Callee::Resumes) found_.resumes.push_back(instruction.next - 1);
        if (callee == Callee::Terminates || callee == Callee::CatchesAndTerminates) found_.canTerminate = true;
        if (callee == Callee::CatchesAndTerminates) found_.isNoHandler = true;
    }

    CodeReader code_;
    LandingPad found_;
    std::vector<std::uintptr_t> open_;
    std::unordered_set<std::uintptr_t> seen_;
};

}    // namespace

LandingPad LandingPad::at(std::uintptr_t address) { return PadReader().read(address); }

}    // namespace ferry::pmpi

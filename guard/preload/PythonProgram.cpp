#include <ferry/guard/preload/PythonProgram.hpp>

#include <dlfcn.h>
#include <unwind.h>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

namespace ferry::detail {

namespace {

// The little of Python's stable ABI that is used here. Headers of Python would tie the guard to one version.
using Object = void;
using Function = Object*(Object* self, Object* arguments);

struct MethodDefinition {    // PyMethodDef
    const char* name;
    Function* function;
    int flags;
    const char* help;
};

constexpr int takesTuple = 1;     // METH_VARARGS
constexpr int wholeFile = 257;    // Py_file_input

/// A function of Python; null: there is no Python in this process.
template <class Type>
Type* python(const char* name) {
    return reinterpret_cast<Type*>(::dlsym(RTLD_DEFAULT, name));
}

/// Runs in a module of its own. `tell(status, type, summary, traceback, file, line)` returns whether the guard tells the end; `note()` says
/// that the status of a normal end is known. Strings go as bytes, since text of Python may hold what is no UTF-8.
constexpr const char* hooks = R"python(
import atexit
import os
import sys


def isInterpreter():
    try:
        return os.path.samefile(sys.executable, "/proc/self/exe")
    except (OSError, TypeError, ValueError):
        return False


def isInteractive():
    return sys.flags.interactive or hasattr(sys, "ps1")


def asBytes(text):
    return text.encode(errors="backslashreplace").replace(b"\0", b"\\0")


def tellException(kind, value, trace, status):
    import traceback
    name = kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else kind.__module__ + "." + kind.__qualname__
    try:
        summary = traceback.format_exception_only(kind, value)[-1].strip()
        text = "".join(traceback.format_exception(kind, value, trace)).rstrip()
        frames = traceback.extract_tb(trace)
    except Exception as error:
        summary, text, frames = name, name + " (its text cannot be made: " + type(error).__name__ + ")", []
    place = next((frame for frame in reversed(frames) if not frame.filename.startswith("<")), None)
    return tell(status, asBytes(name), asBytes(summary), asBytes(text), asBytes(place.filename if place else ""), place.lineno if place else 0)


def excepthook(kind, value, trace):
    status = 130 if issubclass(kind, KeyboardInterrupt) else 1
    isTold = not isInteractive() and tellException(kind, value, trace, status)
    if not isTold or previousHook is not sys.__excepthook__:
        previousHook(kind, value, trace)


class Exit(SystemExit):
    """Raised by sys.exit(). The interpreter itself asks for the code only when nothing has caught the exception: then no frame is below."""
    @property
    def code(self):
        if sys._getframe().f_back is None and not isInteractive():
            exits(self, self.status)
        return self.status

    @code.setter
    def code(self, status):
        self.status = status


Exit.__name__ = Exit.__qualname__ = "SystemExit"
Exit.__module__ = "builtins"


def exits(raised, code):
    status = 0 if code is None else code & 0xff if isinstance(code, int) else 1
    if status == 0:
        return note()
    summary = "sys.exit(" + repr(code) + ")"
    text = "".join(["Traceback (most recent call last):\n", *raised.frames.format(), summary])
    tell(status, b"SystemExit", asBytes(summary), asBytes(text), asBytes(raised.frames[-1].filename), raised.frames[-1].lineno)


def exit(status=None, /):
    """Exits the interpreter by raising SystemExit(status), as sys.exit() does."""
    import traceback
    raised = Exit(*status) if isinstance(status, tuple) else Exit() if status is None else Exit(status)
    raised.status = status[0] if isinstance(status, tuple) and len(status) == 1 else status
    raised.frames = traceback.extract_stack(sys._getframe(1))
    raise raised


def atEnd():
    value = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    if isinstance(value, BaseException) and not isInteractive():
        tellException(type(value), value, value.__traceback__, 1)


if isInterpreter():
    previousHook, sys.excepthook, sys.exit = sys.excepthook, excepthook, exit
    atexit.register(atEnd)
    hasHooks()
)python";

PythonProgram::Listener& listenerOfProcess() {
    static PythonProgram::Listener& listener = *new PythonProgram::Listener;    // lives longer than the interpreter
    return listener;
}

bool hasHooksNow = false;
bool isStatusKnown = false;

Object* boolean(bool value) { return python<Object*(long)>("PyBool_FromLong")(value ? 1 : 0); }

/// The end of the program, from Python's hooks. No exception of C++ may pass the interpreter.
Object* tell(Object* /*self*/, Object* arguments) noexcept {
    int status = 0;
    int line = 0;
    const char* type = nullptr;
    const char* summary = nullptr;
    const char* traceback = nullptr;
    const char* file = nullptr;
    using Parse = int(Object*, const char*, ...);
    if (python<Parse>("PyArg_ParseTuple")(arguments, "iyyyyi", &status, &type, &summary, &traceback, &file, &line) == 0) return nullptr;
    isStatusKnown = true;
    // The first exception of a woken rank is the error of its call.
    const std::string_view text = traceback;
    const std::size_t second = text.find("During handling of the above exception");
    const bool isBehindAnother = second != text.npos && text.substr(0, second).find("ferry::Deadlock") == text.npos;
    return boolean(listenerOfProcess()({status, type, summary, traceback, file, line, isBehindAnother}));
}

Object* note(Object* /*self*/, Object* /*arguments*/) noexcept {
    isStatusKnown = true;
    return boolean(true);
}

Object* hasHooks(Object* /*self*/, Object* /*arguments*/) noexcept {
    hasHooksNow = true;
    return boolean(true);
}

MethodDefinition tellDefinition{"tell", &tell, takesTuple, nullptr};
MethodDefinition noteDefinition{"note", &note, takesTuple, nullptr};
MethodDefinition hasHooksDefinition{"hasHooks", &hasHooks, takesTuple, nullptr};

bool set(Object* dictionary, const char* name, Object* value) {
    return value != nullptr && python<int(Object*, const char*, Object*)>("PyDict_SetItemString")(dictionary, name, value) == 0;
}

bool setFunction(Object* dictionary, MethodDefinition& definition) {
    return set(dictionary, definition.name,
               python<Object*(MethodDefinition*, Object*, Object*)>("PyCFunction_NewEx")(&definition, nullptr, nullptr));
}

/// Runs the hooks with names of their own. The objects are never freed: the hooks live as long as the interpreter.
bool runHooks() {
    Object* const names = python<Object*()>("PyDict_New")();
    if (names == nullptr || !set(names, "__builtins__", python<Object*()>("PyEval_GetBuiltins")())) return false;
    if (!setFunction(names, tellDefinition) || !setFunction(names, noteDefinition) || !setFunction(names, hasHooksDefinition)) return false;
    Object* const code = python<Object*(const char*, const char*, int)>("Py_CompileString")(hooks, "<ferry>", wholeFile);
    return code != nullptr && python<Object*(Object*, Object*, Object*)>("PyEval_EvalCode")(code, names, names) != nullptr;
}

bool hasInterpreter() {
    auto* const isInitialized = python<int()>("Py_IsInitialized");
    return isInitialized != nullptr && isInitialized() != 0;
}

}    // namespace

bool PythonProgram::isRunning() { return hasHooksNow; }

void PythonProgram::listen(Listener listener) {
    if (!hasInterpreter()) return;
    listenerOfProcess() = std::move(listener);
    const int state = python<int()>("PyGILState_Ensure")();
    if (!runHooks()) {
        std::fputs("ferry: the hooks of Python cannot be set, so exceptions of this program are told without a traceback:\n", stderr);
        python<void()>("PyErr_Print")();
    }
    python<void(int)>("PyGILState_Release")(state);
}

bool PythonProgram::isEnding() { return hasHooksNow && !hasInterpreter(); }

bool PythonProgram::endsWithUnknownStatus() {
    if (!isEnding() || isStatusKnown) return false;
    struct Search {
        std::uintptr_t wanted;
        bool isFound;
    } search{reinterpret_cast<std::uintptr_t>(::dlsym(RTLD_DEFAULT, "Py_Exit")), false};
    const _Unwind_Trace_Fn look = [](_Unwind_Context* frame, void* place) {
        auto& sought = *static_cast<Search*>(place);
        sought.isFound = sought.isFound || _Unwind_GetRegionStart(frame) == sought.wanted;
        return sought.isFound ? _URC_END_OF_STACK : _URC_NO_REASON;
    };
    _Unwind_Backtrace(look, &search);
    return search.isFound;
}

}    // namespace ferry::detail

#include <ferry/guard/preload/PythonProgram.hpp>

#include <dlfcn.h>
#include <unwind.h>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

#include <ferry/guard/known/Turn.hpp>
#include <ferry/serialization/exception/LastThrow.hpp>
#include <ferry/serialization/exception/Origin.hpp>

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
/// that the status of a normal end is known. `keep(type, message, traceback, file, line)` notes an exception that does not end the program,
/// and `stand(traceback, file, line)` the present place. Strings go as bytes, since text of Python may hold what is no UTF-8.
constexpr const char* hooks = R"python(
import atexit
import functools
import os
import signal
import sys
import threading
import traceback


def isInterpreter():
    try:
        return os.path.samefile(sys.executable, "/proc/self/exe")
    except (OSError, TypeError, ValueError):
        return False


def isInteractive():
    return sys.flags.interactive or hasattr(sys, "ps1")


def asBytes(text):
    return text.encode(errors="backslashreplace").replace(b"\0", b"\\0")


def placeOf(frames):
    place = next((frame for frame in reversed(frames) if not frame.filename.startswith("<")), None)
    return asBytes(place.filename if place else ""), (place.lineno if place else 0) or 0


def formatted(kind, value, trace):
    """The name of the class, one line, the traceback, and the place."""
    global isFormatting
    before, isFormatting = isFormatting, True
    name = kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else kind.__module__ + "." + kind.__qualname__
    try:
        summary = traceback.format_exception_only(kind, value)[-1].strip()
        text = "".join(traceback.format_exception(kind, value, trace)).rstrip()
        frames = traceback.extract_tb(trace)
    except Exception as error:
        summary, text, frames = name, name + " (its text cannot be made: " + type(error).__name__ + ")", []
    finally:
        isFormatting = before
    return (name, summary, text, *placeOf(frames))


def tellException(kind, value, trace, status):
    name, summary, text, file, line = formatted(kind, value, trace)
    return tell(status, asBytes(name), asBytes(summary), asBytes(text), file, line)


def keepException(kind, value, trace):
    """Notes an exception that the program has not let go up to its end, for the case that the rank is missed later."""
    if not isinstance(value, BaseException) or isInteractive():
        return
    name, summary, text, file, line = formatted(kind, value, trace)
    message = summary[len(name) + 2:] if summary.startswith(name + ": ") else "" if summary == name else summary
    keep(asBytes(name), asBytes(message), asBytes(text), file, line)


def excepthook(kind, value, trace):
    status = 130 if issubclass(kind, KeyboardInterrupt) else 1
    isTold = not isInteractive() and tellException(kind, value, trace, status)
    if not isTold or previousHook is not sys.__excepthook__:
        previousHook(kind, value, trace)


def threadHook(arguments, /):
    if arguments.exc_type is Exit:    # Python's own hook looks for the very class
        arguments = threading.ExceptHookArgs((SystemExit, *arguments[1:]))
    elif not issubclass(arguments.exc_type, SystemExit):
        keepException(*arguments[:3])
    previousThreadHook(arguments)


def unraisableHook(unraisable, /):
    keepException(*unraisable[:3])
    previousUnraisableHook(unraisable)


isFormatting = False
makeFormatted = traceback.TracebackException.__init__


@functools.wraps(makeFormatted)
def noteFormatted(self, exc_type, exc_value, exc_traceback, *arguments, **options):
    """An exception that the program prints itself, with the functions of `traceback` or `logging`."""
    global isFormatting
    before, isFormatting = isFormatting, True
    try:
        makeFormatted(self, exc_type, exc_value, exc_traceback, *arguments, **options)
    finally:
        isFormatting = before
    if not isFormatting and not isinstance(exc_value, SystemExit):
        keepException(exc_type, exc_value, exc_traceback)


def lookAround():
    """Notes the exception that is being handled, and the place of the script."""
    kind, value, trace = sys.exc_info()
    if value is not None:
        keepException(kind, value, trace)
    frames = traceback.extract_stack(sys._getframe(1))
    stand(asBytes("".join(["Traceback (most recent call last):\n", *frames.format()]).rstrip()), *placeOf(frames))


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

    def __reduce__(self):
        return SystemExit, self.args


Exit.__name__ = Exit.__qualname__ = "SystemExit"
Exit.__module__ = "builtins"


def exits(raised, code):
    status = 0 if code is None else code & 0xff if isinstance(code, int) else 1
    if status == 0:
        return note()
    summary = "sys.exit(" + repr(code) + ")"
    text = "".join(["Traceback (most recent call last):\n", *raised.frames.format(), summary])
    handled = raised.__context__
    if handled is not None:
        _, cause, story, *_ = formatted(type(handled), handled, handled.__traceback__)
        text = story + "\n\nDuring handling of the above exception, another exception occurred:\n\n" + text
        summary += " after " + cause
    tell(status, b"SystemExit", asBytes(summary), asBytes(text), *placeOf(raised.frames))


def exit(status=None, /):
    """Exits the interpreter by raising SystemExit(status), as sys.exit() does."""
    raised = Exit(*status) if isinstance(status, tuple) else Exit() if status is None else Exit(status)
    raised.status = status[0] if isinstance(status, tuple) and len(status) == 1 else status
    raised.frames = traceback.extract_stack(sys._getframe(1))
    raise raised


def atEnd():
    value = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    if isinstance(value, BaseException) and not isInteractive():
        tellException(type(value), value, value.__traceback__, 1)
    ends()


if isInterpreter():
    previousHook, sys.excepthook, sys.exit = sys.excepthook, excepthook, exit
    previousThreadHook, threading.excepthook = threading.excepthook, threadHook
    previousUnraisableHook, sys.unraisablehook = sys.unraisablehook, unraisableHook
    traceback.TracebackException.__init__ = noteFormatted
    atexit.register(atEnd)
    hasHooks(lookAround, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
)python";

PythonProgram::Listener& listenerOfProcess() {
    static PythonProgram::Listener& listener = *new PythonProgram::Listener;    // lives longer than the interpreter
    return listener;
}

std::function<void()>& endOfProcess() {
    static auto& listener = *new std::function<void()>;    // lives longer than the interpreter
    return listener;
}

bool hasHooksNow = false;
bool isStatusKnown = false;
Object* lookAround = nullptr;    // a function of the hooks
int interrupts = 0;              // 1: SIGINT has Python's own handler

/// The place that lookAround() has found.
PythonProgram::Place& foundPlace() {
    static PythonProgram::Place& place = *new PythonProgram::Place;    // lives longer than the interpreter
    return place;
}

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

/// The handlers of atexit have run that the script has registered since MPI was initialised. The objects of the script are still there.
Object* ends(Object* /*self*/, Object* /*arguments*/) noexcept {
    endOfProcess()();
    return boolean(true);
}

/// An exception that does not end the program.
Object* keep(Object* /*self*/, Object* arguments) noexcept {
    int line = 0;
    const char* type = nullptr;
    const char* message = nullptr;
    const char* traceback = nullptr;
    const char* file = nullptr;
    using Parse = int(Object*, const char*, ...);
    if (python<Parse>("PyArg_ParseTuple")(arguments, "yyyyi", &type, &message, &traceback, &file, &line) == 0) return nullptr;
    LastThrow::noteOfInterpreter(type, message, Origin::here(file, line), traceback);
    return boolean(true);
}

/// The place of the script.
Object* stand(Object* /*self*/, Object* arguments) noexcept {
    int line = 0;
    const char* traceback = nullptr;
    const char* file = nullptr;
    using Parse = int(Object*, const char*, ...);
    if (python<Parse>("PyArg_ParseTuple")(arguments, "yyi", &traceback, &file, &line) == 0) return nullptr;
    foundPlace() = {traceback, file, line};
    return boolean(true);
}

/// The hooks are set. Takes their function that looks around.
Object* hasHooks(Object* /*self*/, Object* arguments) noexcept {
    using Parse = int(Object*, const char*, ...);
    if (python<Parse>("PyArg_ParseTuple")(arguments, "Op", &lookAround, &interrupts) == 0) return nullptr;
    hasHooksNow = true;
    return boolean(true);
}

MethodDefinition tellDefinition{"tell", &tell, takesTuple, nullptr};
MethodDefinition noteDefinition{"note", &note, takesTuple, nullptr};
MethodDefinition endsDefinition{"ends", &ends, takesTuple, nullptr};
MethodDefinition keepDefinition{"keep", &keep, takesTuple, nullptr};
MethodDefinition standDefinition{"stand", &stand, takesTuple, nullptr};
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
    for (MethodDefinition* one :
         {&tellDefinition, &noteDefinition, &endsDefinition, &keepDefinition, &standDefinition, &hasHooksDefinition}) {
        if (!setFunction(names, *one)) return false;
    }
    Object* const code = python<Object*(const char*, const char*, int)>("Py_CompileString")(hooks, "<ferry>", wholeFile);
    return code != nullptr && python<Object*(Object*, Object*, Object*)>("PyEval_EvalCode")(code, names, names) != nullptr;
}

bool hasInterpreter() {
    auto* const isInitialized = python<int()>("Py_IsInitialized");
    return isInitialized != nullptr && isInitialized() != 0;
}

}    // namespace

bool PythonProgram::isRunning() { return hasHooksNow; }

void PythonProgram::listen(Listener listener, std::function<void()> ends) {
    if (!hasInterpreter()) return;
    endOfProcess() = std::move(ends);
    listenerOfProcess() = std::move(listener);
    const int state = python<int()>("PyGILState_Ensure")();
    if (!runHooks()) {
        std::fputs("ferry: the hooks of Python cannot be set, so exceptions of this program are told without a traceback:\n", stderr);
        python<void()>("PyErr_Print")();
    }
    python<void(int)>("PyGILState_Release")(state);
}

std::optional<PythonProgram::Place> PythonProgram::look() {
    if (!hasHooksNow || !hasInterpreter()) return std::nullopt;
    const pmpi::Turn::Pause pause;    // a thread that has the interpreter may wait for its turn
    const int state = python<int()>("PyGILState_Ensure")();
    foundPlace() = {};
    Object* type = nullptr;    // an error of the interpreter, under way
    Object* value = nullptr;
    Object* trace = nullptr;
    python<void(Object**, Object**, Object**)>("PyErr_Fetch")(&type, &value, &trace);
    if (python<Object*(Object*, Object*)>("PyObject_CallObject")(lookAround, nullptr) == nullptr) python<void()>("PyErr_Clear")();
    python<void(Object*, Object*, Object*)>("PyErr_Restore")(type, value, trace);
    const Place place = foundPlace();
    python<void(int)>("PyGILState_Release")(state);
    return place.traceback.empty() ? std::nullopt : std::optional(place);
}

bool PythonProgram::interruptsAsEver() { return hasHooksNow && interrupts != 0; }

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

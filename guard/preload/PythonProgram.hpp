#pragma once

#include <functional>
#include <optional>
#include <string>

namespace ferry::detail {

/// The Python interpreter that runs this program. Its exceptions never come to main(), so hooks of Python tell them: sys.excepthook,
/// sys.exit() and, for programs with a hook of their own, a handler of atexit.
///
/// Exceptions that do not end the program are noted as LastThrow: those of threads and of __del__, and those that the program prints with
/// Python's own functions.
///
/// Functions of Python are found by their names at run time: a program without Python has none.
/// Threads: the thread that initialises MPI.
class PythonProgram {
public:
    /// The end of a program by an exception that nothing in it has caught.
    struct End {
        int status = 0;           ///< exit status that Python gives
        std::string type;         ///< name of the class
        std::string summary;      ///< one line
        std::string traceback;    ///< as Python prints it, with the causes
        std::string file;         ///< where the exception was raised; empty: not known
        int line = 0;
        bool isBehindAnother = false;    ///< the exception came while another one was handled
    };
    /// Where the script is.
    struct Place {
        std::string traceback;    ///< its calls, as Python prints them
        std::string file;
        int line = 0;
    };
    /// Takes note of the end. Returns whether the guard tells it; otherwise Python does.
    using Listener = std::function<bool(const End&)>;

    /// Whether the program of this process is an interpreter. False for a program that has Python inside.
    static bool isRunning();
    /// Sets the hooks. Errors: a line on standard error; the program goes on without hooks.
    /// ends: called once, when the script and most of its handlers of atexit have ended.
    static void listen(Listener listener, std::function<void()> ends);

    /// Looks where the script is, in a call that it makes. Notes the exception that the script handles there, if any. Empty: no Python, or
    /// no frame of it. Threads: a thread that runs Python, and waits here until the interpreter is free.
    static std::optional<Place> look();

    /// Whether SIGINT raises KeyboardInterrupt, as in every script without a handler of its own.
    static bool interruptsAsEver();
    /// Whether Python has begun to end, after the program and its handlers of atexit.
    static bool isEnding();
    /// Whether Python ends because of a SystemExit whose status is not known yet: `raise SystemExit(3)` and quit().
    static bool endsWithUnknownStatus();
};

}    // namespace ferry::detail

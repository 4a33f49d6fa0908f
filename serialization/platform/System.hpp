#pragma once

#include <signal.h>
#include <sys/types.h>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// All that Ferry asks of the operating system and that POSIX does not have. Linux.cpp and MacOs.cpp each hold it for one system.
///
/// Errors: a function that returns false, or -1 for a file, has set errno. No function throws but for lack of memory.
namespace ferry::detail::platform {

// Threads and processors.

/// The number that the system gives to the calling thread.
std::uint64_t threadNumber() noexcept;
/// After this call the thread sees all earlier writes of the other threads of the process, and they see its own. The other threads need no
/// barrier for it. Does nothing where the system offers no such barrier.
void orderWithOtherThreads() noexcept;
/// A bit for each processor of the host.
using Processors = std::array<std::uint64_t, 16>;
/// The processors on which the process may run. None: the system does not tell.
Processors allowedProcessors() noexcept;
/// The processor that runs the calling thread. -1: the system does not tell.
int currentProcessor() noexcept;
/// Keeps the calling thread on one processor. Does nothing for -1. When that fails, only time is lost.
void stayOnProcessor(int processor) noexcept;
/// Prepares the process for thousands of threads that wait. When that fails, only time is lost.
void makeRoomForWaits(int threadCount) noexcept;
/// Takes a signal that waits for the calling thread, which blocks all these signals. False: none waits.
bool takeWaitingSignal(const sigset_t& signals) noexcept;

// Arrivals of signals, of which one thread of the process waits for each. There is one count for the process, from begin to end.

void beginArrivals() noexcept;
/// Notes one arrival. A signal handler may call it.
void noteArrival() noexcept;
/// Waits for one arrival, or until the time is over.
void awaitArrival(std::optional<std::chrono::milliseconds> atMost) noexcept;
void endArrivals() noexcept;

// This process.

/// A number that is another one for each start of a program, even in the same process.
std::uint32_t numberOfThisStart() noexcept;
bool fillWithRandomBytes(std::span<std::byte> bytes) noexcept;
/// The path of the file with which the program was started, which may not be there any more. Empty: the system does not tell.
std::string programFile();
/// The arguments of the program, without its name.
std::vector<std::string> programArguments();
/// Whether the process was started with this variable in its environment, whatever has become of the environment since. Empty: the system
/// does not tell.
std::optional<bool> wasStartedWith(std::string_view variable);
/// The rights that the process removes from each new file. Empty: the system does not tell.
std::optional<mode_t> umaskOfProcess();
/// Lets exit() call a function with the exit status. False: the system does not tell the status.
bool callAtExit(void (*function)(int, void*), void* argument) noexcept;
/// Lets std::quick_exit() call a function with a null pointer and the exit status. False: the system does not tell the status.
bool callAtQuickExit(void (*function)(void*, int)) noexcept;
/// Ends the process without a call of the C library. A signal handler may call it.
[[noreturn]] void endProcess(int status) noexcept;

/// Copies bytes of this process from an address that may be wrong. Returns the number of bytes that could be read before the first one
/// that cannot; none: the system does not tell. A signal handler may call it.
std::optional<std::size_t> readOwnMemory(std::uintptr_t address, std::span<char> to) noexcept;

// Programs and libraries in memory.

/// The program or a shared library, as the loader has placed it.
struct LoadedFile {
    std::string path{};         ///< for the program: a path that leads to its file
    std::uintptr_t base = 0;    ///< added to the addresses of the file
};

/// The loaded file that contains this address. Empty: none does, or the system does not tell.
std::optional<LoadedFile> loadedFileAt(std::uintptr_t address);
/// The readable bytes of a loaded file from an address on. Empty: the address is in none.
std::span<const std::uint8_t> loadedBytesFrom(std::uintptr_t address) noexcept;
/// The number of files that the process has unloaded. Other code may lie at the same addresses when it has changed.
std::uint64_t countOfUnloads() noexcept;

// Other processes and the host.

/// The state of a process as the operating system reports it.
enum class ProcessState {
    Unknown,    ///< the process is on another host, or its state cannot be read
    Running,    ///< running or waiting
    Stopped,    ///< stopped by SIGSTOP or a similar signal
    Traced,     ///< stopped by a debugger
    Gone,       ///< the process has ended
};

/// The state of a process on this host.
ProcessState stateOfProcess(std::int32_t process);
/// The state that a line of /proc/PID/stat tells. Of Linux alone.
ProcessState stateInLine(const std::string& line);
/// A text that is equal in two processes when each can see the other by its process number.
std::string hostText();

// Files.

/// Opens a folder that cannot be listed, to make files in it.
int openFolderOfHiddenFiles(const char* folder) noexcept;
/// Whether the links in this folder stand for files that a process has open, whatever name a link shows.
bool hasLinksToOpenFiles(const char* folder) noexcept;
/// Writes a file to the disk, and all that is known of it. A folder too.
int flush(int file) noexcept;
/// Writes the bytes of a file to the disk.
int flushData(int file) noexcept;
/// Starts writing a part of a file to the disk, and does not wait. When that fails, only time is lost.
void startFlushing(int file, std::uint64_t begin, std::uint64_t byteCount) noexcept;
/// Makes a file longer at its end, with room on the disk. Returns the error: 0 for none, EINVAL or EOPNOTSUPP where the file system
/// reserves no room.
int reserve(int file, off_t end, off_t byteCount) noexcept;
/// Gives a part of a file back to the disk. When that fails, only room is lost.
void giveBack(int file, off_t begin, off_t byteCount) noexcept;
/// Opens a new file without a name in a folder. -1 also where the file system makes no such files.
int openFileWithoutName(const char* folder) noexcept;
/// Makes memory without a name that files' functions use.
int makeMemoryFile() noexcept;

// Memory for several processes.

/// Makes memory of this name and size that other processes can open, and that none of them can make shorter.
int makeSharedFile(const char* name, std::size_t byteCount) noexcept;
/// Opens memory that another process has made and keeps open as a file of this number.
int openSharedFile(std::int64_t process, std::int64_t file, const char* name, std::size_t byteCount) noexcept;

// Connections.

/// Makes a socket for TCP that is closed in programs that this process starts, and whose calls do not wait.
int makeSocket() noexcept;
/// Takes the next connection, with the properties of makeSocket(). -1 also when none waits.
int acceptConnection(int listener) noexcept;
/// Sends what fits. A peer that has gone is an error, and no signal.
ssize_t sendWithoutSignal(int connection, std::span<const std::byte> bytes) noexcept;
/// Sets for how long data may stay without an answer before the connection counts as broken.
bool limitSilence(int connection, unsigned milliseconds) noexcept;
/// Makes a file that poll() sees as readable from ringBell() to silenceBell().
int makeBell() noexcept;
void ringBell(int bell) noexcept;
void silenceBell(int bell) noexcept;

}    // namespace ferry::detail::platform

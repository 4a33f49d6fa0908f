// A job that killJournal.py kills and resumes. Each slave logs the steps that it begins, the master logs its replies.
//     journaled STEPS LOG --ferry-journal FILE
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ranges>
#include <stdexcept>
#include <string>
#include <thread>

#include <ferry/ferry.hpp>
#include <ferry/serialization/file/FileDescriptor.hpp>

namespace journaled {

class StepDone : public ferry::Message {
public:
    FERRY_CLASS(journaled::StepDone)
    FERRY_FIELDS(number, text)
    int number = 0;
    std::string text;
};

class Step : public ferry::Message {
public:
    FERRY_CLASS(journaled::Step)
    FERRY_FIELDS(number)
    using Reply = StepDone;
    Step() = default;
    explicit Step(int theNumber) : number(theNumber) {}
    int number = 0;
};

/// A log in which one write is one line. A line stays complete when the process is killed.
class Log {
public:
    explicit Log(const char* path) : file_(::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {}
    void add(int number) const {
        const std::string line = std::to_string(number) + '\n';
        if (::write(file_.number(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) throw std::runtime_error("no log");
    }

private:
    ferry::detail::FileDescriptor file_;
};

}    // namespace journaled

using namespace journaled;

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    if (argc != 3) return 2;
    const int stepCount = std::atoi(argv[1]);
    const Log log(argv[2]);
    app.slave().on<Step>([&log](const Step& step) {
        log.add(step.number);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));    // the simulated work
        StepDone done;
        done.number = step.number;
        done.text.assign(static_cast<std::size_t>(step.number % 50), 'x');
        return done;
    });
    return app.run([stepCount](ferry::Master& master) {
        const auto steps = std::views::iota(0, stepCount) | std::views::transform([](int number) { return Step(number); });
        for (const StepDone& done : master.map(steps, ferry::MapOrder::Completion)) std::printf("%d %zu\n", done.number, done.text.size());
    });
}

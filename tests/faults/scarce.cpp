// Should: the same as chaos, for what chaos lacks. Whatever allocation fails on whatever rank, the program ends, with status 0 and the
// right values, with 80 when a std::bad_alloc reached the program, or with another status and a report.
//   OOM_RANK=r OOM_AT=n [OOM_FOR=k] scarce MODE     (the same environment as chaos)
//   MODE: large, lent, caught, collectives, started, regions, throwon, graphs, files, graphfiles, steps, savedtogether, begun, groups (with
//   --ferry-group-size 2)
#include <ferry/ferry.hpp>

#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ferry/tests/faults/replacedNew.hpp>

namespace {

thread_local long countdown = 0;
thread_local long failures = 0;

void* allocate(std::size_t bytes) {
    if (countdown > 0 && --countdown == 0) {
        countdown = --failures > 0 ? 1 : 0;
        throw std::bad_alloc();
    }
    void* const memory = std::malloc(bytes != 0 ? bytes : 1);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

long fromEnvironment(const char* name, long otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? std::atol(text) : otherwise;
}

void arm(int rank) {
    if (rank != fromEnvironment("OOM_RANK", -1)) return;
    failures = fromEnvironment("OOM_FOR", 1);
    countdown = fromEnvironment("OOM_AT", 0);
}
void disarm() { countdown = 0; }

struct Node {
    std::string name;
    std::shared_ptr<Node> next;
    std::vector<int> numbers;
    FERRY_FIELDS(name, next, numbers)
};

class Reply : public ferry::Message {
public:
    FERRY_CLASS(Reply)
    FERRY_FIELDS(number, ints)
    long number = 0;
    std::vector<int> ints;
};
class Order : public ferry::Message {
public:
    FERRY_CLASS(Order)
    FERRY_FIELDS(number, ints)
    using Reply = ::Reply;
    long number = 0;
    std::vector<int> ints;
};
class Refused : public ferry::Exception {
public:
    FERRY_EXCEPTION(Refused)
    FERRY_FIELDS(why)
    Refused() = default;
    explicit Refused(std::string text) : ferry::Exception("refused"), why(std::move(text)) {}
    std::string why;
};

const std::string longText = "a text that is longer than sixteen";
constexpr std::size_t manyInts = 700'000;    // some MiB: the transport lends such arrays, if it lends at all
constexpr int wrong = 77;

int nextOf(const ferry::Connector& c) { return (c.rank() + 1) % c.size(); }
int beforeOf(const ferry::Connector& c) { return (c.rank() + c.size() - 1) % c.size(); }

bool isWhole(const std::vector<int>& ints, std::size_t count, int value) {
    if (ints.size() != count) return false;
    for (const int one : ints)
        if (one != value) return false;
    return true;
}

int large(ferry::Connector& c) {
    for (int i = 0; i < 3; ++i) {
        c.send(nextOf(c), std::pair(longText, std::vector<int>(manyInts, c.rank())));
        c.send(nextOf(c), std::vector<int>(3000, c.rank()));
        const auto both = c.receive<std::pair<std::string, std::vector<int>>>(beforeOf(c));
        if (both.first != longText || !isWhole(both.second, manyInts, beforeOf(c))) return wrong;
        if (!isWhole(c.receive<std::vector<int>>(beforeOf(c)), 3000, beforeOf(c))) return wrong;
    }
    return 0;
}

int lent(ferry::Connector& c) {
    const std::vector<int> own(manyInts, c.rank());
    for (int i = 0; i < 3; ++i) {
        if (c.rank() % 2 == 0) c.send(nextOf(c), own);
        const std::vector<int> come = c.receive<std::vector<int>>(beforeOf(c));
        if (c.rank() % 2 != 0) c.send(nextOf(c), own);
        if (!isWhole(come, manyInts, beforeOf(c))) return wrong;
    }
    return 0;
}

/// A program that catches every exception and goes on.
int caught(ferry::Connector& c) {
    constexpr int count = 6;
    int whole = 0;
    int thrown = 0;
    if (c.rank() != 0) {
        for (int i = 0; i < count; ++i) {
            try {
                c.send(0, std::vector<int>(5000, c.rank()));
            } catch (const std::bad_alloc&) {
                ++thrown;
            }
        }
        return thrown != 0 ? 80 : 0;
    }
    for (int i = 0; i < count * (c.size() - 1); ++i) {
        try {
            if (c.receive<std::vector<int>>(ferry::AnyRank, ferry::Deadline::in(std::chrono::seconds(2))).size() == 5000) ++whole;
        } catch (const std::bad_alloc&) {
            ++thrown;
        } catch (const ferry::TimeoutError&) {
            ++thrown;
        }
    }
    return thrown == 0 && whole != count * (c.size() - 1) ? wrong : thrown != 0 ? 80 : 0;
}

int collectives(ferry::Connector& c) {
    const auto size = static_cast<std::size_t>(c.size());
    const auto plus = [](const std::string& left, const std::string& right) { return left.size() > right.size() ? left : right; };
    int bad = 0;
    for (int i = 0; i < 2; ++i) {
        c.barrier();
        bad += c.broadcast(c.isMaster() ? longText : std::string(), 0) != longText;
        bad += !isWhole(c.broadcast(std::vector<int>(c.rank() == 1 ? 100'000 : 0, 1), 1), 100'000, 1);
        bad += c.gather(longText, 1).size() != (c.rank() == 1 ? size : 0);
        bad += c.gather(std::vector<int>(20'000, 1), 0).size() != (c.isMaster() ? 20'000 * size : 0);
        bad += c.scatter(std::vector<std::string>(c.isMaster() ? size : 0, longText), 0) != longText;
        bad += c.allGather(longText).size() != size;
        bad += c.allToAll(std::vector<std::string>(size, longText)).size() != size;
        bad += c.allReduce(1, std::plus<>()) != c.size();
        bad += c.reduce(longText, plus, 0) != (c.isMaster() ? longText : std::string());
        bad += c.scan(1, std::plus<>()) != c.rank() + 1;
        bad += c.exclusiveScan(1, std::plus<>()) != c.rank();
        bad += c.reduceScatter(std::vector<int>(size, 1), std::plus<>()).size() != 1;
    }
    return bad != 0 ? wrong : 0;
}

int started(ferry::Connector& c) {
    const auto size = static_cast<std::size_t>(c.size());
    int bad = 0;
    for (int i = 0; i < 2; ++i) {
        auto one = c.startBroadcast(c.isMaster() ? longText : std::string(), 0);
        auto two = c.startAllGather(longText);
        auto three = c.startAllReduce(1, std::plus<>());
        auto four = c.startAllToAll(std::vector<std::string>(size, longText));
        auto five = c.startBarrier();
        bad += one.get() != longText;
        bad += two.get().size() != size;
        bad += three.get() != c.size();
        bad += four.get().size() != size;
        five.get();
    }
    return bad != 0 ? wrong : 0;
}

/// All ranks leave each region together, even when an allocation has failed.
int regions(ferry::Connector& c) {
    int thrown = 0;
    for (int i = 0; i < 4; ++i) {
        try {
            c.guarded([&] {
                c.send(nextOf(c), std::vector<std::string>(5, longText));
                static_cast<void>(c.allGather(longText));
                if (i % 2 == 1 && c.rank() == 1) throw Refused(longText);
                if (c.receive<std::vector<std::string>>(beforeOf(c)).size() != 5) throw Refused("wrong");
            });
        } catch (const ferry::ExceptionList&) {
            ++thrown;
        } catch (const std::bad_alloc&) {
            ++thrown;
        }
    }
    c.barrier();
    return thrown == 2 ? 0 : thrown > 2 ? 80 : wrong;
}

int throwOn(ferry::Connector& c) {
    for (int i = 0; i < 3; ++i) {
        c.throwOn(nextOf(c), Refused(longText));
        try {
            static_cast<void>(c.receive<int>(beforeOf(c)));
            return wrong;
        } catch (const Refused& refused) {
            if (refused.why != longText) return wrong;
        }
        c.barrier();
    }
    return 0;
}

int graphs(ferry::Connector& c) {
    const auto last = std::make_shared<Node>();
    auto root = std::make_shared<Node>();
    root->name = longText;
    root->next = last;
    root->numbers.assign(60'000, 7);
    last->name = longText;
    last->next = root;
    int result = 0;
    for (int i = 0; i < 2; ++i) {
        c.send(nextOf(c), ferry::graph(root.get()));
        const auto come = c.receiveGraph<Node>(beforeOf(c));
        if (come->name != longText || come->next->name != longText || come->numbers.size() != 60'000) result = wrong;
        const auto all = c.broadcastGraph(ferry::graph(root.get()), 0);
        if (all->next->name != longText) result = wrong;
    }
    last->next = nullptr;
    return result;
}

/// Nothing takes letters for a call that could not be begun, and nothing uses its objects.
int begun(ferry::Connector& c) {
    int failed = 0;
    int result = 0;
    for (int i = 0; i < 3; ++i) {
        try {
            const ferry::Pending<std::string> expected = c.expect<std::string>(beforeOf(c));
        } catch (const std::bad_alloc&) {
            ++failed;
        }
        c.send(nextOf(c), longText);
        if (c.receive<std::string>(beforeOf(c)) != longText) result = wrong;
        try {
            c.guarded([&] {
                const auto root = std::make_unique<Node>();
                root->name = longText;
                root->numbers.assign(30'000, 7);
                ferry::Pending<void> posted = c.post(nextOf(c), ferry::graph(root.get()));
                if (c.receiveGraph<Node>(beforeOf(c))->numbers.size() != 30'000) result = wrong;
                posted.get();
            });
            c.guarded([&] {
                const std::unique_ptr<ferry::Connector> half = c.split(c.rank() % 2);
                ferry::Pending<int> sum = half->startAllReduce(1, std::plus<>());
                if (sum.get() != half->size()) result = wrong;
            });
        } catch (const ferry::ExceptionList&) {
            ++failed;
        } catch (const std::bad_alloc&) {
            ++failed;
        }
    }
    c.barrier();
    return result != 0 ? result : failed != 0 ? 80 : 0;
}
int files(ferry::Connector& c) {
    const std::string path = "scarce-" + std::to_string(::getpid()) + "-" + std::to_string(c.rank());
    int result = 0;
    try {
        for (int i = 0; i < 2; ++i) {
            ferry::save(path, std::vector<std::string>(200, longText));
            if (ferry::load<std::vector<std::string>>(path).size() != 200) result = wrong;
        }
    } catch (...) {
        static_cast<void>(::unlink(path.c_str()));
        throw;
    }
    static_cast<void>(::unlink(path.c_str()));
    c.barrier();
    return result;
}

/// A folder of one rank's own for files, removed at the end.
class Folder {
public:
    explicit Folder(int rank) : path_("scarce-" + std::to_string(::getpid()) + "-" + std::to_string(rank) + ".folder") {
        std::filesystem::create_directory(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    std::string file() const { return path_ + "/file"; }
    /// Whether there are no other files than this one. One would be left over from a save that failed.
    bool holdsNothingElse() const {
        for (const auto& entry : std::filesystem::directory_iterator(path_)) {
            if (entry.path().filename() != "file") return false;
        }
        return true;
    }

private:
    std::string path_;
};

/// Calls save(number) for some numbers, and load(), which returns the number. A save that fails leaves the file of the save before.
template <class Save, class Load>
int saveOften(ferry::Connector& c, const Save& save, const Load& load) {
    disarm();
    const Folder folder(c.rank());
    save(folder.file(), 0);
    arm(c.rank());
    int saved = 0;
    int failed = 0;
    int result = 0;
    for (int number = 1; number < 4; ++number) {
        try {
            save(folder.file(), number);
            saved = number;
        } catch (const std::bad_alloc&) {
            ++failed;
        }
        try {
            if (load(folder.file()) != saved) result = wrong;
        } catch (const std::bad_alloc&) {
            ++failed;
        }
    }
    disarm();
    if (!folder.holdsNothingElse() || load(folder.file()) != saved) result = wrong;
    c.barrier();
    return result != 0 ? result : failed != 0 ? 80 : 0;
}

int graphFiles(ferry::Connector& c) {
    const auto save = [](const std::string& path, int number) {
        const auto last = std::make_shared<Node>();
        const auto root = std::make_shared<Node>();
        root->name = longText;
        root->numbers.assign(100'000, number);
        root->next = last;
        last->next = root;
        try {
            ferry::saveGraph(path, root.get());
        } catch (...) {
            last->next = nullptr;
            throw;
        }
        last->next = nullptr;
    };
    const auto load = [](const std::string& path) {
        const auto root = ferry::loadGraph<Node>(path);
        const bool isRight = root->name == longText && root->next->next.get() == &*root && root->numbers.size() == 100'000;
        return isRight ? root->numbers.back() : -1;
    };
    return saveOften(c, save, load);
}

int steps(ferry::Connector& c) {
    constexpr int chunkCount = 5;
    const auto save = [](const std::string& path, int number) {
        ferry::CheckpointWriter writer(path, ferry::FileDescription::of(ferry::FileKind::Value, longText));
        for (int i = 0; i < chunkCount; ++i) writer.put(std::vector<std::int32_t>(5000, number), i + 1 == chunkCount);
    };
    const auto load = [](const std::string& path) {
        ferry::CheckpointReader reader(path);
        reader.require(ferry::FileKind::Value, longText);
        int count = 0;
        int number = -1;
        for (auto ints = reader.next(); !ints.empty(); ints = reader.next()) {
            ++count;
            number = ints.back();
        }
        return count == chunkCount ? number : -1;
    };
    return saveOften(c, save, load);
}

/// All ranks save and load one file. A failure on one rank is a failure on all, and the file is whole.
int savedTogether(ferry::Connector& c) {
    std::string path = "scarce-" + std::to_string(::getpid()) + ".together";
    disarm();
    path = c.broadcast(path, 0);
    arm(c.rank());
    int failed = 0;
    int result = 0;
    std::string saved;
    for (int i = 0; i < 3; ++i) {
        const std::string text = longText + std::to_string(i);
        try {
            c.guarded([&] { ferry::saveAll(c, path, std::vector<std::string>(50, text)); });
            saved = text;
        } catch (const ferry::ExceptionList&) {
            ++failed;
        }
        if (saved.empty()) continue;
        try {
            c.guarded([&] {
                const std::vector<std::string> own = ferry::loadAll<std::string>(c, path);
                if (own.size() != 50 || own.back() != saved) result = wrong;
            });
        } catch (const ferry::ExceptionList&) {
            ++failed;
        }
    }
    disarm();
    c.barrier();
    if (c.isMaster()) static_cast<void>(::unlink(path.c_str()));
    return result != 0 ? result : failed != 0 ? 80 : 0;
}

int onAll(ferry::Connector& c, const std::function<int(ferry::Connector&)>& part) {
    arm(c.rank());
    const int status = part(c);
    disarm();
    return status;
}

/// Jobs with large and small tasks and replies, shared objects, and tasks that are retried.
int groups(ferry::Master& master) {
    arm(0);
    master.share(std::vector<std::string>(10, longText));
    ferry::TaskOptions options;
    options.retry = ferry::RetryOn<Refused>(2);
    long sum = 0;
    long expected = 0;
    long withoutMemory = 0;
    std::vector<ferry::Future<Reply>> futures;
    for (long i = 0; i < 24; ++i) {
        Order order;
        order.number = i;
        order.ints.assign(i % 8 == 0 ? 50'000 : 3, 1);
        futures.push_back(master.submit(order, options));
        expected += i;
    }
    for (auto& future : futures) {
        try {
            sum += future.get().number;
        } catch (const std::bad_alloc&) {
            ++withoutMemory;
        }
    }
    disarm();
    return withoutMemory != 0 ? 80 : sum != expected ? wrong : 0;
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    const std::string mode = argc > 1 ? argv[1] : "large";
    const std::pair<const char*, int (*)(ferry::Connector&)> parts[] = {{"large", large},     {"lent", lent},
                                                                        {"caught", caught},   {"collectives", collectives},
                                                                        {"started", started}, {"regions", regions},
                                                                        {"throwon", throwOn}, {"graphs", graphs},
                                                                        {"files", files},     {"graphfiles", graphFiles},
                                                                        {"steps", steps},     {"savedtogether", savedTogether},
                                                                        {"begun", begun}};
    for (const auto& [name, part] : parts) {
        if (mode == name) return app.runOnAll([part = part](ferry::Connector& c) { return onAll(c, part); });
    }
    app.slave().setUp([](ferry::Connector& c) {
        arm(c.rank());
        return std::make_shared<int>(c.rank());
    });
    app.slave().on<Order>([](const Order& order, ferry::Task& task) {
        if (task.shared<std::vector<std::string>>().size() != 10) throw Refused("wrong");
        Reply reply;
        reply.number = order.number;
        reply.ints.assign(order.number % 6 == 0 ? 60'000 : 2, 1);
        return reply;
    });
    return app.run(groups);
}

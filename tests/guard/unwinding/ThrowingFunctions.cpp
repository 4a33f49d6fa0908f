// Functions that an exception can leave, and functions that it cannot leave.
// FERRY_FUNCTIONS is the name of the list of functions in this compilation.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <ferry/tests/guard/unwinding/ThrowingFunctions.hpp>

namespace ferry::test {

namespace {

using Inner = void (*)();

/// Uses the object in a way that the optimiser does not see.
[[gnu::noinline]] void use(const void* object) {
    if (object == nullptr) std::puts("nothing");
}

/// Several objects are destroyed when an exception passes, some of them in loops.
[[gnu::always_inline]] inline void withObjects(Inner inner) {
    const std::vector<std::string> names(3, "a name that is too long for a string to keep within itself");
    const std::map<int, std::unique_ptr<double>> numbers;
    use(&names);
    use(&numbers);
    inner();
    use(&names);
}

[[gnu::noinline]] void withObjectsApart(Inner inner) { withObjects(inner); }

class AtEnd {
public:
    explicit AtEnd(Inner inner) : inner_(inner) {}
    AtEnd(const AtEnd&) = delete;
    AtEnd& operator=(const AtEnd&) = delete;
    ~AtEnd() { inner_(); }

private:
    Inner inner_;
};

class AtEndWithObjects {
public:
    explicit AtEndWithObjects(Inner inner) : inner_(inner) {}
    AtEndWithObjects(const AtEndWithObjects&) = delete;
    AtEndWithObjects& operator=(const AtEndWithObjects&) = delete;
    ~AtEndWithObjects() {
        const std::string name = "a name that is too long for a string to keep within itself";
        use(&name);
        withObjects(inner_);
    }

private:
    Inner inner_;
};

class AtEndAllowed {
public:
    explicit AtEndAllowed(Inner inner) : inner_(inner) {}
    AtEndAllowed(const AtEndAllowed&) = delete;
    AtEndAllowed& operator=(const AtEndAllowed&) = delete;
    ~AtEndAllowed() noexcept(false) { inner_(); }

private:
    Inner inner_;
};

struct Visitor {
    virtual ~Visitor() = default;
    virtual void visit(Inner inner) noexcept = 0;
};

struct LoudVisitor final : Visitor {
    void visit(Inner inner) noexcept override { inner(); }
};

struct VirtualBase {
    virtual ~VirtualBase() = default;
};
struct DerivedError : virtual VirtualBase, std::logic_error {
    using std::logic_error::logic_error;
};

/// The destructor of the thread calls std::terminate, if it still runs.
[[gnu::always_inline]] inline void withThread(Inner inner) {
    const std::thread thread;
    use(&thread);
    inner();
}

/// When the constructor throws, the members that exist so far are destroyed.
class Constructed {
public:
    explicit Constructed(Inner inner) : names_(3, "a name that is too long for a string to keep within itself") {
        use(&names_);
        inner();
    }

private:
    std::vector<std::string> names_;
};

void noexceptAlone(Inner inner) noexcept { inner(); }
void noexceptWithObjects(Inner inner) noexcept { withObjects(inner); }
void noexceptWithObjectsApart(Inner inner) noexcept { withObjectsApart(inner); }

void noexceptWithHandler(Inner inner) noexcept {
    try {
        inner();
    } catch (const std::bad_alloc&) {
        use(&inner);
    }
}

void noexceptWithHandlerThatTakes(Inner inner) noexcept {
    try {
        withObjects(inner);
    } catch (const std::exception&) {
        use(&inner);
    }
}

void noexceptWithHandlerForAll(Inner inner) noexcept {
    try {
        inner();
    } catch (...) {
        use(&inner);
    }
}

void noexceptWithObjectsAndHandler(Inner inner) noexcept {
    const std::string name = "a name that is too long for a string to keep within itself";
    try {
        use(&name);
        withObjects(inner);
    } catch (const DerivedError&) {
        use(&name);
    } catch (int) {
        use(&inner);
    }
}

constexpr ThrowingFunction functions[] = {
    {"inner alone", [](Inner inner) { inner(); }},
    {"objects", [](Inner inner) { withObjects(inner); }},
    {"objects of a function that was called", [](Inner inner) { withObjectsApart(inner); }},
    {"a handler for another class",
     [](Inner inner) {
         try {
             withObjects(inner);
         } catch (const std::bad_alloc&) {
             use(&inner);
         }
     }},
    {"handlers for a pointer, a number, and a class with a virtual base",
     [](Inner inner) {
         try {
             inner();
         } catch (const char*) {
             use(&inner);
         } catch (int) {
             use(nullptr);
         } catch (const DerivedError&) {
             use(&inner);
         }
     }},
    {"a handler for a base",
     [](Inner inner) {
         try {
             inner();
         } catch (const std::exception&) {
             use(&inner);
         }
     }},
    {"noexcept", [](Inner inner) { noexceptAlone(inner); }},
    {"noexcept, with objects", [](Inner inner) { noexceptWithObjects(inner); }},
    {"noexcept, with objects of a function that it calls", [](Inner inner) { noexceptWithObjectsApart(inner); }},
    {"noexcept, with a handler for another class", [](Inner inner) { noexceptWithHandler(inner); }},
    {"noexcept, with a handler that takes it", [](Inner inner) { noexceptWithHandlerThatTakes(inner); }},
    {"noexcept, with a handler for all", [](Inner inner) { noexceptWithHandlerForAll(inner); }},
    {"noexcept, with objects and handlers for other classes", [](Inner inner) { noexceptWithObjectsAndHandler(inner); }},
    {"noexcept, within a handler that would take it",
     [](Inner inner) {
         try {
             noexceptAlone(inner);
         } catch (...) {
             use(&inner);
         }
     }},
    {"noexcept, with objects, within a handler that would take it",
     [](Inner inner) {
         try {
             noexceptWithObjects(inner);
         } catch (const std::exception&) {
             use(&inner);
         }
     }},
    {"a lambda that is noexcept", [](Inner inner) { [&]() noexcept { inner(); }(); }},
    {"a lambda that is noexcept, with objects", [](Inner inner) { [&]() noexcept { withObjects(inner); }(); }},
    {"a destructor", [](Inner inner) { const AtEnd atEnd(inner); }},
    {"a destructor with objects", [](Inner inner) { const AtEndWithObjects atEnd(inner); }},
    {"a destructor among others",
     [](Inner inner) {
         const std::vector<std::string> names(3, "a name that is too long for a string to keep within itself");
         const AtEnd atEnd(inner);
         use(&names);
     }},
    {"a destructor that may throw", [](Inner inner) { const AtEndAllowed atEnd(inner); }},
    {"a destructor of what a pointer owns", [](Inner inner) { std::make_unique<AtEnd>(inner).reset(); }},
    {"a destructor of an element",
     [](Inner inner) {
         std::list<AtEnd> all;
         all.emplace_back(inner);
         all.clear();
     }},
    {"a virtual function that is noexcept",
     [](Inner inner) {
         LoudVisitor loud;
         Visitor& visitor = loud;
         use(&visitor);
         visitor.visit(inner);
     }},
    {"std::function", [](Inner inner) { std::function<void()>([inner] { inner(); })(); }},
    {"an algorithm",
     [](Inner inner) {
         std::vector<int> values{3, 1, 2};
         std::sort(values.begin(), values.end(), [inner](int left, int right) {
             inner();
             return left < right;
         });
     }},
    {"a lock",
     [](Inner inner) {
         std::mutex mutex;
         const std::lock_guard lock(mutex);
         inner();
     }},
    {"a static variable",
     [](Inner inner) {
         static const int value = (inner(), 1);
         use(&value);
     }},
    {"a future, which catches",
     [](Inner inner) {
         std::packaged_task<void()> task([inner] { inner(); });
         task();
     }},
    {"an object whose destructor may terminate", [](Inner inner) { withThread(inner); }},
    {"noexcept, with an object whose destructor may terminate", [](Inner inner) { [&]() noexcept { withThread(inner); }(); }},
    {"handlers for other classes, and an object whose destructor may terminate",
     [](Inner inner) {
         try {
             withThread(inner);
         } catch (const std::bad_alloc&) {
             use(&inner);
         } catch (const DerivedError&) {
             use(nullptr);
         }
     }},
    {"a handler for all behind others, and an object whose destructor may terminate",
     [](Inner inner) {
         try {
             withThread(inner);
         } catch (const std::bad_alloc&) {
             use(nullptr);
         } catch (...) {
             use(&inner);
         }
     }},
    {"a handler that throws again",
     [](Inner inner) {
         try {
             withObjects(inner);
         } catch (...) {
             use(&inner);
             throw;
         }
     }},
    {"a constructor", [](Inner inner) { const Constructed object(inner); }},
    {"a constructor, within noexcept", [](Inner inner) { [&]() noexcept { const Constructed object(inner); }(); }},
    {"two that are noexcept",
     [](Inner inner) noexcept {
         const AtEnd atEnd(inner);
         use(&atEnd);
     }},
};

}    // namespace

std::span<const ThrowingFunction> FERRY_FUNCTIONS() { return functions; }

}    // namespace ferry::test

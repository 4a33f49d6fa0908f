// Should: whatever allocation fails while a graph is copied, used and ended, the program goes on: std::bad_alloc, or a right copy.
// Prints "ok". A copy that ends while memory is wanting looks for its cycles again.
#include <ferry/ferry.hpp>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <ferry/tests/support/ScarceMemory.hpp>

namespace {

using ferry::test::ScarceMemory;

struct Node {
    std::string name;
    std::shared_ptr<Node> next;
    std::unique_ptr<Node> child;
    std::vector<std::shared_ptr<Node>> others;
    Node* friendly = nullptr;
    FERRY_FIELDS(name, next, child, others, friendly)
};

}    // namespace

int main() {
    Node root;
    root.name = std::string(40, 'r');
    root.child = std::make_unique<Node>();
    root.next = std::make_shared<Node>();
    root.next->child = std::make_unique<Node>();
    root.next->others = {std::make_shared<Node>(), root.next};    // a cycle
    root.friendly = root.next->child.get();

    constexpr std::uint64_t Limit = 10'000;
    long wrong = 0;
    std::uint64_t n = 1;
    for (; n < Limit; ++n) {
        const std::uint64_t failuresBefore = ScarceMemory::failureCount();
        try {
            const ScarceMemory scarce(n, 1);
            const auto copy = ferry::copyGraph(&root);
            if (copy->name != root.name || copy->friendly != copy->next->child.get() || copy->next->others[1] != copy->next) ++wrong;
        } catch (const std::bad_alloc&) {}
        if (ScarceMemory::failureCount() == failuresBefore) break;
    }
    root.next->others.clear();
    if (wrong == 0 && n > 20 && n < Limit)
        std::puts("ok");
    else
        std::printf("%ld wrong copies, the last allocation that failed: %llu\n", wrong, static_cast<unsigned long long>(n));
}

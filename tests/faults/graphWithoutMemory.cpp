// Should: whatever allocation fails while a graph is copied, used and ended, the program goes on: std::bad_alloc, or a right copy.
// Prints "ok". A copy that ends while memory is wanting looks for its cycles again.
#include <ferry/ferry.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <ferry/tests/faults/replacedNew.hpp>

namespace {

long countdown = 0;
bool hasFailed = false;

void* allocate(std::size_t bytes) {
    if (countdown > 0 && --countdown == 0) {
        hasFailed = true;
        throw std::bad_alloc();
    }
    if (void* memory = std::malloc(bytes != 0 ? bytes : 1)) return memory;
    throw std::bad_alloc();
}

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

    constexpr long Limit = 10'000;
    long wrong = 0;
    long n = 1;
    for (; n < Limit; ++n) {
        hasFailed = false;
        countdown = n;
        try {
            const auto copy = ferry::copyGraph(&root);
            if (copy->name != root.name || copy->friendly != copy->next->child.get() || copy->next->others[1] != copy->next) ++wrong;
        } catch (const std::bad_alloc&) {}
        countdown = 0;
        if (!hasFailed) break;
    }
    root.next->others.clear();
    if (wrong == 0 && n > 20 && n < Limit)
        std::puts("ok");
    else
        std::printf("%ld wrong copies, the last allocation that failed: %ld\n", wrong, n);
}

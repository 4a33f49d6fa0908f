#include <ferry/guard/known/HostMemory.hpp>

#include <unistd.h>
#include <cstddef>
#include <new>
#include <utility>

namespace ferry::pmpi {

namespace {

HostMemory::Page* pageIn(const detail::SharedMemory& memory) {
    return std::launder(reinterpret_cast<HostMemory::Page*>(memory.bytes().data()));
}

}    // namespace

HostMemory& HostMemory::ofProcess() {
    static HostMemory& memory = *new HostMemory;    // never destroyed: see Communicators
    return memory;
}

HostMemory::HostMemory() : own_(detail::SharedMemory::create(sizeof(Page))) {
    if (own_.isMapped()) new (own_.bytes().data()) Page;
}

HostMemory::Page* HostMemory::own() noexcept { return own_.isMapped() ? pageIn(own_) : nullptr; }

HostMemory::Page* HostMemory::pageAt(const detail::SharedMemory::Address& address) {
    if (address == detail::SharedMemory::Address{}) return nullptr;
    if (address == own_.address()) return pageIn(own_);
    const auto known = others_.find(address);
    if (known != others_.end()) return pageIn(known->second);
    detail::SharedMemory memory = detail::SharedMemory::open(address, sizeof(Page));
    if (!memory.isMapped()) return nullptr;
    return pageIn(others_.emplace(address, std::move(memory)).first->second);
}

void HostMemory::clear(int slot) noexcept {
    if (own_.address().process != ::getpid())
        return;    // this process has no counters, or it is a forked child of the process that has
                   // them
    for (Page::Line& line : pageIn(own_)->lines[static_cast<std::size_t>(slot)]) line.counter = 0;
}

}    // namespace ferry::pmpi

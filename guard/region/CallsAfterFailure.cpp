#include <ferry/guard/region/CallsAfterFailure.hpp>

namespace ferry::pmpi {

namespace {

constexpr std::chrono::seconds defaultPatience{10};
constexpr std::size_t mostCalls = 100;

}    // namespace

CallsAfterFailure::CallsAfterFailure(std::chrono::milliseconds patience) : patience_(patience.count() > 0 ? patience : defaultPatience) {}

bool CallsAfterFailure::areTooMany() {
    const auto now = std::chrono::steady_clock::now();
    if (count_++ == 0) since_ = now;
    return count_ > mostCalls && now - since_ > patience_;
}

}    // namespace ferry::pmpi

#include <ferry/connector/exception/ErrorCodes.hpp>

#include <atomic>
#include <cstddef>
#include <deque>
#include <string>
#include <system_error>
#include <utility>

#include <doctest/doctest.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/tests/support/Together.hpp>

using namespace ferry;

namespace errorcodestest {

class Numbered final : public std::error_category {
public:
    explicit Numbered(std::string name) : name_(std::move(name)) {}
    const char* name() const noexcept override { return name_.c_str(); }
    std::string message(int) const override { return name_; }

private:
    std::string name_;
};

/// The code after a round trip.
std::error_code arrived(const std::error_code& code) {
    IntBuffer buffer;
    IntWriter out(buffer);
    detail::writeErrorCode(out, code);
    out.finish();
    IntReader in(buffer.ints());
    return detail::readErrorCode(in);
}

}    // namespace errorcodestest

using namespace errorcodestest;

TEST_CASE("ErrorCodes: several threads add categories and read codes, and each category comes back itself") {
    constexpr int threadCount = 4;
    constexpr int ownCount = 400;
    static std::deque<Numbered> categories;    // a category that was added has to live until the end of the program
    for (int i = 0; i < threadCount * ownCount; ++i) categories.emplace_back("numbered " + std::to_string(i));
    std::atomic<int> wrongCount{0};
    test::runTogether(threadCount, [&wrongCount](int thread) {
        for (int i = 0; i < ownCount; ++i) {
            const Numbered& category = categories[static_cast<std::size_t>(thread * ownCount + i)];
            addErrorCategory(category);
            if (arrived({i, category}).category() != category) ++wrongCount;
        }
    });
    CHECK(wrongCount == 0);
    for (const Numbered& category : categories) {
        if (arrived({1, category}).category() != category) ++wrongCount;
    }
    CHECK(wrongCount == 0);
}

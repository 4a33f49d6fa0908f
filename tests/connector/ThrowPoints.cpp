#include <ferry/tests/connector/ThrowPoints.hpp>

#include <utility>

namespace ferry::test {

namespace {

std::function<void()>& meetOfThisThread() {
    thread_local std::function<void()> meet;
    return meet;
}

}    // namespace

void throwPoint() {
    if (meetOfThisThread()) meetOfThisThread()();
}

ThrowPoints::ThrowPoints(std::function<void()> meet) { meetOfThisThread() = std::move(meet); }

ThrowPoints::~ThrowPoints() { meetOfThisThread() = nullptr; }

}    // namespace ferry::test

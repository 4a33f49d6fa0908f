#pragma once

#include <algorithm>
#include <cstddef>
#include <streambuf>
#include <vector>

namespace bench {

/// A stream over memory that is reused. So libraries that write to streams need not allocate memory each time.
class MemoryStreambuf final : public std::streambuf {
public:
    /// Begins to write at the front.
    void rewindToWrite() { setp(bytes_.data(), bytes_.data() + bytes_.size()); }
    /// Begins to read the written bytes at the front.
    void rewindToRead() {
        if (pptr() != nullptr) writtenBytes_ = static_cast<std::size_t>(pptr() - pbase());
        setp(nullptr, nullptr);
        setg(bytes_.data(), bytes_.data(), bytes_.data() + writtenBytes_);
    }
    std::size_t writtenBytes() const { return pptr() != nullptr ? static_cast<std::size_t>(pptr() - pbase()) : writtenBytes_; }
    bool isAtEnd() const { return gptr() == egptr(); }
    const char* data() const { return bytes_.data(); }

protected:
    int_type overflow(int_type byte) override {
        const std::size_t used = writtenBytes();
        bytes_.resize(std::max<std::size_t>(2 * bytes_.size(), 4096));
        rewindToWrite();
        for (std::size_t left = used; left != 0;) {    // pbump takes an int
            const std::size_t step = std::min<std::size_t>(left, 1 << 30);
            pbump(static_cast<int>(step));
            left -= step;
        }
        if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
        return sputc(traits_type::to_char_type(byte));
    }

private:
    std::vector<char> bytes_;
    std::size_t writtenBytes_ = 0;
};

}    // namespace bench

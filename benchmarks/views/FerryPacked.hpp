#pragma once

#include <masses.views.hpp>
#include <population.views.hpp>
#include <results.views.hpp>

#include <vector>

#include <ferry/benchmarks/views/Samples.hpp>
#include <ferry/serialization/Codec.hpp>

// Packs through the views that ferrygen has made.

namespace bench {
namespace {

inline auto viewed(AdjacentPart& part) { return ferry::part<masses::Bounded>(part.objects); }
inline auto viewed(HoledPart& part) { return ferry::part<masses::Holed>(part.objects); }
inline auto viewed(EdgePart<8>& part) { return ferry::part<masses::Edges64>(part.objects); }
inline auto viewed(EdgePart<32>& part) { return ferry::part<masses::Edges256>(part.objects); }
inline auto viewed(EdgePart<2048>& part) { return ferry::part<masses::Edges16K>(part.objects); }
inline auto viewed(space::Mass& mass) { return ferry::part<masses::Unbounded>(mass); }
inline auto viewed(homology::Results& results) { return ferry::part<results::Found>(results); }
inline auto& viewed(std::vector<growing::Network>& networks) { return networks; }    // their classes have default views

class FerryPacked {
public:
    static constexpr const char* name = "ferry";

    template <class T>
    void pack(T& value) {
        buffer_.clear();
        ferry::IntWriter out(buffer_);
        out << viewed(value);
        out.finish();
    }
    template <class T>
    void unpack(T& value) {
        ferry::IntReader in(buffer_.ints());
        auto&& part = viewed(value);
        in >> part;
        in.expectEnd();
    }

private:
    ferry::IntBuffer buffer_;
};

}    // namespace
}    // namespace bench

#pragma once

#include <new>
#include <optional>
#include <utility>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// The losses that a transport tells of, each once. A loss whose handling lacked memory is kept here, and handled again.
class LossNews {
public:
    /// Calls note(loss) for each loss that is news. Errors: those of note().
    template <class Note>
    void handle(Transport& transport, const Note& note) {
        while (std::optional<Loss> loss = next(transport)) {
            try {
                note(std::as_const(*loss));
            } catch (const std::bad_alloc&) {
                kept_ = std::move(loss);
                throw;
            }
        }
    }

private:
    std::optional<Loss> next(Transport& transport) { return kept_ ? std::exchange(kept_, std::nullopt) : transport.nextLoss(); }

    std::optional<Loss> kept_;
};

}    // namespace ferry::detail

#pragma once

#include <ferry/connector/message/Mailbox.hpp>

namespace ferry::detail {

/// Compares the class registries of all ranks. All ranks call it together when they connect.
///
/// Errors: RegistryMismatch on every rank. Its text names the classes that differ and the ranks that lack them.
void compareRegistries(Mailbox& mailbox);

}    // namespace ferry::detail

#pragma once

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry::detail {

/// Compares the class registries of all ranks. All ranks call it together when they connect.
///
/// Errors: RegistryMismatch on every rank. Its text names the classes that differ and the ranks that lack them.
void compareRegistries(Mailbox& mailbox);

/// Checks the registry of classes for conflicts. Conflicts of the program's own registry are there before main() begins, and no program
/// can mend them: the process prints a line with the places and the cure, and exits with status 2. (An Application reports them itself.)
/// Errors: UsageError for conflicts of another factory.
void requireNoConflicts(const ObjectFactory& factory);

}    // namespace ferry::detail

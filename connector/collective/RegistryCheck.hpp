#pragma once

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry::detail {

/// Compares the class registries of all ranks. All ranks call it together when they connect.
///
/// Errors: RegistryMismatch on every rank. Its text names the classes that differ and the ranks that lack them.
void compareRegistries(Mailbox& mailbox);

/// Compares the class registries like compareRegistries(). Each rank talks to rank 0 alone. For a mailbox that does not outlive the
/// comparison: behind the last letter of rank 0 it takes nothing more in. In the tree of compareRegistries(), letters of rank 0 may come
/// before the last letter of the parent.
void compareRegistriesWithMaster(Mailbox& mailbox);

/// Checks the registry of classes for conflicts. Conflicts in the registry of the program arise before main() begins, and no program can
/// mend them. So the process prints a line with the places and the cure, and exits with status 2. An Application reports such conflicts
/// itself.
/// Errors: UsageError for conflicts of another factory.
void requireNoConflicts(const ObjectFactory& factory);

}    // namespace ferry::detail

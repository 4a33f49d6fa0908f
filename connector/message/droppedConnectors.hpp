#pragma once

namespace ferry::detail {

class Mailbox;

// Connectors of groups that were destroyed while their rank may have been in a call: by another thread, or within the call. Such a
// connector lives on until no call of the rank can need it any more. Its own waits throw UsageError from then on.
//
// Threads: keepDropped() on any thread, the others on the thread that uses the mailbox.

/// Keeps a connector that is being destroyed, of this mailbox. destroy(connector) will be called once. False: the mailbox belongs to no
/// group, or the outermost connector has ended, so that the caller destroys the connector.
bool keepDropped(Mailbox& mailbox, void* connector, void (*destroy)(void*) noexcept) noexcept;

/// Whether the connector of this mailbox was dropped, and no other rank counts on it in a guarded region.
bool isDropped(Mailbox& mailbox) noexcept;

/// Lets the waits of dropped connectors throw from now on. outermost: the outermost mailbox.
void tellDropped(Mailbox& outermost) noexcept;

/// Destroys the dropped connectors that were split off from this one, and that no call needs any more. Called at the beginning of a call.
void destroyDropped(Mailbox& around);

/// Destroys all dropped connectors that were split off from this one, which ends.
void destroyAllDropped(Mailbox& around) noexcept;

/// Destroys all dropped connectors. Later ones are not kept. outermost: the outermost mailbox, which ends.
void endDropping(Mailbox& outermost) noexcept;

}    // namespace ferry::detail

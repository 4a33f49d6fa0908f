"""Bugs with which the program behaves the same, so that no test can find them: the reason for each, by the id of the bug (tools/mutate)."""

SAME = {
    "3ad35abea9554076": "DebugUnit: the reader of the address refuses the last number too, which leads past the end of the section",
    "278fec0f0f807177": "Mailbox: the memory of a letter is freed instead of used again for the next one",
}

"""python3 -m ferry_guard: the same as ferryrun."""
from ferry_guard import main

main()

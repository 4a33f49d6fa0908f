#!/bin/sh
# compilePrecompiled.sh COMMAND...: runs the command of a compiler, and writes the checksum of the precompiled header that it makes.
# With CCACHE_PCH_EXTSUM, ccache reads the checksum for each source that uses the header, and not the 160 MB of the header.
"$@" || exit
while [ $# -gt 0 ]; do
    [ "$1" = -o ] && output=$2
    shift
done
case "$output" in
    *.gch | *.pch) sha256sum < "$output" > "$output.sum" || rm -f "$output.sum" ;;
esac

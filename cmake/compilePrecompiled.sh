#!/usr/bin/env bash
# compilePrecompiled.sh COMMAND...: runs the command of a compiler, and writes a checksum beside the precompiled header that it makes.
# With CCACHE_PCH_EXTSUM, ccache reads the checksum for each source that uses the header, and not the 160 MB of the header.
#
# The bytes of a precompiled header name the folder in which it was compiled. What uses the header would then not fit a clone elsewhere.
# The checksum therefore covers what the header is made of: the command, and the names and texts of all files that the compiler read.
# Each name of the folder CCACHE_BASEDIR counts as ".".
set -o pipefail
"$@" || exit
previous="" output="" dependencies="" root=""
for word in "$@"; do
    case "$previous" in
        -o) output="$word" ;;
        -MF) dependencies="$word" ;;
    esac
    [[ "$word" != CCACHE_BASEDIR=* ]] || root="${word#*=}"
    previous="$word"
done
[[ "$output" == *.gch || "$output" == *.pch ]] || exit 0

# names: prints the names of the files, which stand behind a colon in the file of dependencies.
names() { sed -e '1s/^[^:]*://' -e 's/\\$//' "$dependencies" | xargs printf '%s\n'; }
# ingredients COMMAND...: prints what the header is made of.
ingredients() { printf '%s\n' "$@" && names && names | xargs -d '\n' cat; }
# withoutRoot: prints the standard input with "." for the name of the folder.
withoutRoot() { sed -E "s#${root:?}([/=]|$)#.\1#g"; }

# Where the ingredients cannot be read, the bytes of the header count.
{ ingredients "$@" | withoutRoot | sha256sum >"$output.sum"; } 2>/dev/null || sha256sum <"$output" >"$output.sum" || rm -f "$output.sum"

#!/bin/sh
# Prints the version of what is checked out, after Semantic Versioning: FyneApp.toml's own for the commit that carries its
# tag (v1.2.3), else a pre-release of it that grows with every commit and names it: 1.2.3-dev.456+0123abcd. Tracked files
# that differ from the commit add «.dirty». Without git it is 1.2.3-dev.
set -eu
cd "$(dirname "$0")/.."
next=$(sed -n 's/^Version = "\(.*\)"$/\1/p' FyneApp.toml)
if ! commit=$(git rev-parse --short=8 HEAD 2>/dev/null); then
	echo "$next-dev"
	exit
fi
dirty=
git diff --quiet HEAD -- || dirty=.dirty
if [ -z "$dirty" ] && git tag --points-at HEAD | grep -qx "v$next"; then
	echo "$next"
else
	echo "$next-dev.$(git rev-list --count HEAD)+$commit$dirty"
fi

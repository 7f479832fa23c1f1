#!/bin/sh
# Prints the version of the checked out commit, following Semantic Versioning. For a commit with the tag v1.2.3, it is the version in
# FyneApp.toml. For any other commit it is a pre-release with the number of commits and the commit: 1.2.3-dev.456+0123abcd. If tracked files
# differ from the commit, ".dirty" is added. Without git the version is 1.2.3-dev.
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

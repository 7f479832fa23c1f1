#!/bin/sh
# Runs a program for Windows inside the namespace of enter.sh, in the current folder.
#
#   run.sh PROGRAM ARG…
#
# WINE_ENV  more variables: NAME=VALUE, separated by spaces
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
program=$1
shift
library=$(echo "Z:$top/packaging/native/windows-amd64/lib" | tr / '\134')
# shellcheck disable=SC2086 # a list of assignments
exec chroot "$WINE_ROOT" /usr/bin/env -i -C "$PWD" HOME="$WINE_HOME" WINEPREFIX="$WINE_HOME/prefix" WINEDEBUG="${WINEDEBUG:--all}" \
	DISPLAY="$WINE_DISPLAY" LIBGL_ALWAYS_SOFTWARE=1 PATH=/usr/bin:/bin LANG=C.UTF-8 GOROOT="$WINE_GOROOT" \
	WINEPATH="$library" \
	SEARCH_MCP_LIB="$library" SEARCH_MCP_MODEL="$(echo "Z:$top/assets/model" | tr / '\134')" \
	LD_PRELOAD="$WINE_HOME/preload.so" \
	${CI:+CI="$CI"} ${WINE_ENV:-} wine "$program" "$@"

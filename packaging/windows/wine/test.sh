#!/bin/sh
# The lane of Windows on a Debian machine (make test-windows): cross-compiles everything and runs it under Wine. skips.txt says what
# is left out of the packages' tests. A folder of pictures is left in dist/windows/pictures.
#
#   test.sh [short]
#
# short: a few packages and journeys only, for every change; it leaves out what has not been set up and says so.
set -eu
cd "$(dirname "$0")/../../.."
here=packaging/windows/wine
folder=dist/windows

# A part of the lane that the whole check takes along has three minutes: what everything stands on, and the main journey.
short() {
	packages='./app ./app/cli/bridge ./engine/index ./engine/search'
	journeys='^TestMainJob$/^handshake$'
	window=without-window
}
# Whatever has tests, but for what packs and measures, and the programs of the window, which are tried as a whole (trial.sh).
full() {
	packages=$(GOOS=windows CGO_ENABLED=1 go list -e -f '{{if not .Error}}{{.ImportPath}}{{end}}' \
		./app/... ./assets/... ./engine/... ./ui/... ./packaging/native/... ./packaging/windows/wine/habits | sed 's|^searchmcp|.|' |
		grep -vE '^\./(app/bench|app/e2e|app/cmd|engine/secret/(bench|corpus|generate)|engine/search/quality|ui/opengl)(/|$)' |
		grep -vxF "$(sed -n 's|^\([^# ]*\) \* .*|./\1|p' "$here/skips.txt")")
	journeys=.
}
began=$(date +%s)
took() { echo "windows: $* ($(($(date +%s) - began)) s)"; }

case ${1:-} in
short)
	if ! "$here/root.sh" >/dev/null || ! command -v x86_64-w64-mingw32-gcc >/dev/null; then
		echo "windows: left out, for nothing is set up here; make test-windows does it"
		exit
	fi
	short
	;;
'')
	# The Debian is made and entered by root.
	[ "$(id -u)" = 0 ] || exec sudo --preserve-env env "PATH=$PATH" "HOME=$HOME" "$0" "$@"
	packaging/setup.sh windows
	"$here/root.sh" make >/dev/null
	took "the Debian with Wine is there"
	full
	;;
*) echo "usage: test.sh [short]" >&2; exit 2 ;;
esac

# shellcheck disable=SC2086 # nothing, or one word
"$here/build.sh" "$folder" ${window:-}
took "the programs are built"

export GOOS=windows GOARCH=amd64 CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc CXX=x86_64-w64-mingw32-g++
flags="-modfile=$folder/go.mod -vet=off -count=1 -timeout 20m -exec $PWD/$here/run.sh"
failed=
# shellcheck disable=SC2086 # lists of words
"$here/enter.sh" go test $flags $packages || failed=yes
took "the packages' tests"
# shellcheck disable=SC2086
WINE_ENV="SEARCH_MCP_E2E_BIN=$(echo "Z:$PWD/$folder/bin" | tr / '\134')" "$here/enter.sh" go test $flags -run "$journeys" ./app/e2e || failed=yes
took "the journeys of app/e2e"
if [ "${1:-}" != short ]; then
	unset GOOS GOARCH CGO_ENABLED CC CXX
	"$here/enter.sh" "$here/trial.sh" "$folder" || failed=yes
	took "the installer, the window and the tray"
fi
[ -z "$failed" ] || { echo "windows: something failed, see above" >&2; exit 1; }

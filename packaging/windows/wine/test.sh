#!/bin/sh
# The lane of Windows on a Debian machine (make test-windows): cross-compiles everything and runs it under Wine. skips.txt says what
# is left out of the packages' tests. What they said is left in dist/windows/tests, and pictures in dist/windows/pictures.
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
# Whatever has tests, but for what packs and measures, and the programs of the window, which are tried as a whole (trial.sh). The
# two that take longest begin, so that the others run beside them.
full() {
	packages="./app/e2e ./engine $(GOOS=windows CGO_ENABLED=1 go list -e -f '{{if not .Error}}{{.ImportPath}}{{end}}' \
		./app/... ./assets/... ./engine/... ./ui/... ./packaging/native/... | sed 's|^searchmcp|.|' |
		grep -vE '^\./(app/e2e|app/cmd|ui/opengl)(/|$)|^\./engine$' |
		grep -vxF "$(sed -n 's|^\([^# ]*\) \* .*|./\1|p' "$here/skips.txt")")"
}
began=$(date +%s)
took() { echo "windows: $* ($(($(date +%s) - began)) s)"; }
fail() { echo "windows: $*" >&2; exit 1; }

making=
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
	# It is fetched and unpacked while the programs are compiled.
	mkdir -p "$folder"
	setsid "$here/root.sh" make >"$folder/root.log" 2>&1 &
	making=$!
	trap 'kill -- "-$making" 2>/dev/null || true' EXIT
	trap 'exit 130' INT TERM
	full
	;;
*) echo "usage: test.sh [short]" >&2; exit 2 ;;
esac

# shellcheck disable=SC2086 # nothing, or one word
"$here/build.sh" "$folder" ${window:-}
took "the programs are built"
if [ -n "$making" ]; then
	wait "$making" || { cat "$folder/root.log" >&2; fail "no Debian with Wine, see above"; }
	took "the Debian with Wine is there"
fi

# Without debugging information, which nobody reads here, each test is linked in half the time. -short: the random tests go on for
# as long as one wishes.
run_tests() {
	# shellcheck disable=SC2086 # WINE_ENV and what follows are lists of words
	GOOS=windows GOARCH=amd64 CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc CXX=x86_64-w64-mingw32-g++ \
		WINE_ENV="SEARCH_MCP_E2E_BIN=$(echo "Z:$PWD/$folder/bin" | tr / '\134')" \
		TEST_LOGS="$PWD/$folder/tests" \
		"$here/enter.sh" go test -modfile="$folder/go.mod" -vet=off -short -count=1 -timeout 60m -ldflags=-s -exec "$PWD/$here/tests.sh" "$@"
}
failed=
rm -rf "$folder/tests"
mkdir "$folder/tests"
# shellcheck disable=SC2086 # a list of words
run_tests $packages || failed=yes
took "the packages' tests"
if [ "${1:-}" = short ]; then
	run_tests -run "$journeys" ./app/e2e || failed=yes
	took "the journeys of app/e2e"
else
	"$here/enter.sh" "$here/trial.sh" "$folder" || failed=yes
	took "the installer, the window and the tray"
fi
# What went well the second time is no secret.
grep -h '^wine: ' "$folder"/tests/*.log || true
[ -z "$failed" ] || fail "something failed, see above"

#!/bin/sh
# Tests the programs for Windows on a Debian machine (make test-windows): cross-compiles everything and runs it under Wine. skips.txt lists tests
# that are skipped. The output of the tests is in dist/windows/tests, and screenshots are in dist/windows/pictures.
#
#   test.sh [short]
#
# short runs only a few packages and end-to-end tests, for every change. If Wine is not set up, it reports that and succeeds.
set -eu
cd "$(dirname "$0")/../../.."
here=packaging/windows/wine
folder=dist/windows

# The short test takes at most three minutes. It covers the basic packages and the main end-to-end test.
short() {
	packages='./app ./app/cli/bridge ./engine/index ./engine/search'
	journeys='^TestMainJob$/^handshake$'
	window=without-window
}
# All packages with tests, except packaging, benchmarks and the window, which trial.sh tests as a whole. The two slowest packages start first.
full() {
	packages="./app/e2e ./engine $(GOOS=windows CGO_ENABLED=1 go list -e -f '{{if not .Error}}{{.ImportPath}}{{end}}' \
		./app/... ./assets/... ./engine/... ./ui/... | sed 's|^searchmcp|.|' |
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
		echo "windows: skipped, because Wine is not set up here; make test-windows sets it up"
		exit
	fi
	short
	;;
'')
	# Only root can create and enter the Debian.
	[ "$(id -u)" = 0 ] || exec sudo --preserve-env env "PATH=$PATH" "HOME=$HOME" "$0" "$@"
	packaging/setup.sh windows
	# The Debian is fetched and unpacked while the programs are compiled.
	mkdir -p "$folder"
	setsid "$here/root.sh" make >"$folder/root.log" 2>&1 &
	making=$!
	trap 'kill -- "-$making" 2>/dev/null || true' EXIT
	trap 'exit 130' INT TERM
	full
	;;
*) echo "usage: test.sh [short]" >&2; exit 2 ;;
esac

# shellcheck disable=SC2086 # empty or one word
"$here/build.sh" "$folder" ${window:-}
took "the programs are built"
if [ -n "$making" ]; then
	wait "$making" || { cat "$folder/root.log" >&2; fail "the Debian with Wine could not be created, see above"; }
	took "the Debian with Wine is there"
fi

# Without debugging information each test links in half the time. -short limits the random tests, which otherwise run for a given time.
run_tests() {
	# shellcheck disable=SC2086 # WINE_ENV and the arguments are lists
	GOOS=windows GOARCH=amd64 CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc CXX=x86_64-w64-mingw32-g++ \
		WINE_ENV="SEARCH_MCP_E2E_BIN=$(echo "Z:$PWD/$folder/bin" | tr / '\134')" \
		TEST_LOGS="$PWD/$folder/tests" \
		"$here/enter.sh" go test -modfile="$folder/go.mod" -vet=off -short -count=1 -timeout 60m -ldflags=-s -exec "$PWD/$here/tests.sh" "$@"
}
failed=
rm -rf "$folder/tests"
mkdir "$folder/tests"
# shellcheck disable=SC2086 # a list
run_tests $packages || failed=yes
took "the packages' tests"
if [ "${1:-}" = short ]; then
	run_tests -run "$journeys" ./app/e2e || failed=yes
	took "the journeys of app/e2e"
else
	"$here/enter.sh" "$here/trial.sh" "$folder" || failed=yes
	took "the installer, the window and the tray"
fi
# Report the tests that passed only the second time.
grep -h '^wine: ' "$folder"/tests/*.log || true
[ -z "$failed" ] || fail "tests failed, see above"

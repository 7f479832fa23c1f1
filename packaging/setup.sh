#!/bin/sh
# Brings a machine to where `make build` and `make test` work: a C compiler, what the window and the tests need, the native
# libraries unpacked and checked. Run by make; a second run makes no changes.
#
#   setup.sh [test] [bench] [rivals] [package] [windows] [check]
#
# test, bench, rivals: also what only the tests, the benchmarks or the comparison of sources need; package: also what builds, signs and
# tries packages; windows: also what builds and tries the programs for Windows; check: only report missing packages.
#
# On Debian and Ubuntu it installs what is missing by apt-get, elsewhere it lists the packages to install. Needs Go, git and make.
set -eu
cd "$(dirname "$0")/.."

tests='' packages='' windows='' bench='' rivals='' check=''
for arg in "$@"; do
	case $arg in
	test) tests=yes ;;
	bench) bench=yes ;;
	rivals) rivals=yes ;;
	package) packages=yes windows=yes ;;
	windows) windows=yes ;;
	check) check=yes ;;
	*) echo "usage: setup.sh [test] [bench] [rivals] [package] [windows] [check]" >&2; exit 2 ;;
	esac
done

say() { printf 'set-up: %s\n' "$*"; }
fail() { printf 'set-up: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
debian() { have dpkg-query && have apt-get; }
# mentions WORD: whether a committed test names WORD, so that packages are asked for only once something uses them.
mentions() { git grep -qI -e "$1" -- '*_test.go' 2>/dev/null; }

have go || fail "Go is missing; go.mod says which version: $(sed -n 's/^go //p' go.mod) or later"
have git || fail "git is missing"

# What is missing, by Debian's names. Commands count wherever they come from; headers and libraries by their package.
missing() {
	have gcc || have cc || have clang || echo gcc
	have g++ || have c++ || have clang++ || echo g++ # tree-sitter has scanners in C++; it also brings libstdc++, which ONNX Runtime needs
	[ -z "$bench" ] || have rg || echo ripgrep # the baseline of scans
	[ -z "$tests" ] || have xz || echo xz-utils # native libraries are packed as their renewal packs them
	[ -z "$tests" ] || have pdftotext || echo poppler-utils # archives read PDF by it
	if [ -n "$rivals" ]; then # what sources are compared with, and what fetches the rest of it
		have npm || echo npm
		have recollq || echo recollcmd
		python3 -c 'import ensurepip' 2>/dev/null || echo python3-venv
	fi
	debian || return 0
	wanted="libc6-dev ca-certificates"
	if [ -d app/cmd/search-mcp-window ]; then
		wanted="$wanted libgl1-mesa-dev xorg-dev libxkbcommon-dev" # Fyne: OpenGL, X11, keyboard maps
	fi
	if [ -n "$tests" ]; then
		if mentions Xvfb || mentions xvfb-run; then wanted="$wanted xvfb xauth libgl1-mesa-dri"; fi
		if mentions dbus-daemon || mentions dbus-run-session; then wanted="$wanted dbus"; fi
		if mentions openbox; then wanted="$wanted openbox xdotool"; fi # a window manager, and a keyboard
	fi
	if [ -n "$tests" ] && mentions osslsigncode; then
		wanted="$wanted rpm gnupg binutils appstream desktop-file-utils openssl nsis osslsigncode shellcheck" # packages are built and verified
	fi
	if [ -n "$packages" ]; then
		wanted="$wanted rpm gnupg binutils appstream desktop-file-utils debootstrap shellcheck" # Linux packages, and their trial
	fi
	if [ -n "$windows" ]; then
		wanted="$wanted gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix nsis osslsigncode openssl debootstrap python3-pip"
	fi
	# dpkg-query fails when it has never heard of one of the names, and still lists the others.
	# shellcheck disable=SC2086 # a list of words
	installed=" $(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^installed //p' | tr '\n' ' ')"
	for p in $wanted; do
		case $installed in *" $p "*) ;; *) echo "$p" ;; esac
	done
}

install() {
	root=
	if [ "$(id -u)" != 0 ]; then
		have sudo || fail "not root and no sudo; as root: apt-get install $*"
		root="sudo"
		[ -t 0 ] || root="sudo -n" # no terminal to type a password
	fi
	say "installing by apt-get: $*"
	# A list of packages may be absent (containers) or too old to find a package by: fetch it and try again.
	$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" ||
		{ $root apt-get update -q && $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"; } ||
		fail "apt-get failed; needed: $*"
}

lacking=$(missing | tr '\n' ' ')
if [ -n "$lacking" ]; then
	say "missing: $lacking"
	[ -z "$check" ] || exit 1
	debian || fail "install these by your system's package manager (named here as Debian names them), then run make again"
	# shellcheck disable=SC2086 # a list of words
	install $lacking
	lacking=$(missing | tr '\n' ' ')
	[ -z "$lacking" ] || fail "still missing after installing: $lacking"
fi

# fetch WHAT COMMAND…: brings what Go downloads, so that a failure is reported here and not at the first use.
fetch() {
	what=$1
	shift
	"$@" >/dev/null || fail "$what could not be fetched; this needs a connection to the Go module proxy (go env GOPROXY): $*"
}

[ -d "$(go env GOMODCACHE)/cache/download" ] || say "fetching the Go modules of go.mod (some 100 MB, once)"
fetch "the Go modules of go.mod" go mod download
[ -z "$tests$bench$rivals" ] || fetch "the benchmarks' modules" go -C app/bench mod download
tools=
[ -z "$windows" ] || tools="go-winres cyclonedx-gomod"
[ -z "$tests$packages" ] || tools="nfpm actionlint go-winres cyclonedx-gomod"
[ -z "$tests" ] || fetch staticcheck go -C packaging/tools tool -n staticcheck
if [ -n "$tools" ]; then
	# What packs is built here, once, from a module of its own; tests ask for the paths.
	say "looking for the pinned tools (building them the first time takes about a minute)"
	for tool in $tools; do
		fetch "$tool" go -C packaging/tools/pack tool -n "$tool"
	done
fi

go run ./packaging/native/unpack || fail "the native libraries are not usable (see above)"

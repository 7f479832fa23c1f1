#!/bin/sh
# Installs the packages that `make build` and `make test` need, fetches the Go modules, and unpacks and verifies the native libraries. make runs
# it. A second run changes nothing.
#
#   setup.sh [test] [bench] [rivals] [package] [windows] [check]
#
# The arguments add the packages for tests, for benchmarks, for the comparison of sources (rivals), for building, signing and testing packages,
# or for building and testing the programs for Windows. With check, it only lists missing packages.
#
# On Debian and Ubuntu it installs missing packages with apt-get. On other systems it lists them. It needs Go, git and make.
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
# mentions WORD reports whether a committed test contains WORD, so that only packages in use are installed.
mentions() { git grep -qI -e "$1" -- '*_test.go' 2>/dev/null; }

have go || fail "Go is missing; go.mod requires $(sed -n 's/^go //p' go.mod) or later"
have git || fail "git is missing"

# missing lists the missing packages by their names in Debian. Programs count wherever they are installed, libraries only as packages.
missing() {
	have gcc || have cc || have clang || echo gcc
	have g++ || have c++ || have clang++ || echo g++ # for the scanners of tree-sitter; also installs libstdc++ for ONNX Runtime
	[ -z "$bench" ] || have rg || echo ripgrep # a baseline
	have xz || echo xz-utils # the native libraries are packed with it
	[ -z "$tests" ] || have pdftotext || echo poppler-utils # archives read PDF files with it
	if [ -n "$rivals" ]; then # other search programs, and programs to fetch them
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
		if mentions openbox; then wanted="$wanted openbox xdotool"; fi # a window manager and simulated input
	fi
	if [ -n "$tests" ] && mentions osslsigncode; then
		wanted="$wanted rpm gnupg binutils appstream desktop-file-utils openssl nsis osslsigncode shellcheck" # tests build and verify packages
	fi
	if [ -n "$packages" ]; then
		wanted="$wanted rpm gnupg binutils appstream desktop-file-utils debootstrap shellcheck" # to build and test Linux packages
	fi
	if [ -n "$windows" ]; then
		wanted="$wanted gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix nsis osslsigncode openssl debootstrap python3-pip"
	fi
	# dpkg-query fails if it does not know one of the names, but lists the others.
	# shellcheck disable=SC2086 # a list
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
		[ -t 0 ] || root="sudo -n" # without a terminal, no password can be typed
	fi
	say "installing by apt-get: $*"
	# The lists of packages may be missing, as in containers, or too old. Then fetch them and try again.
	$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" ||
		{ $root apt-get update -q && $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"; } ||
		fail "apt-get failed; needed: $*"
}

lacking=$(missing | tr '\n' ' ')
if [ -n "$lacking" ]; then
	say "missing: $lacking"
	[ -z "$check" ] || exit 1
	debian || fail "install these with the package manager of your system (the names are those of Debian), then run make again"
	# shellcheck disable=SC2086 # a list
	install $lacking
	lacking=$(missing | tr '\n' ' ')
	[ -z "$lacking" ] || fail "still missing after installing: $lacking"
fi

# fetch WHAT COMMAND… downloads Go modules now, so that a failure is reported here instead of during the build.
fetch() {
	what=$1
	shift
	"$@" >/dev/null || fail "$what could not be fetched; this needs a connection to the Go module proxy (go env GOPROXY): $*"
}

[ -d "$(go env GOMODCACHE)/cache/download" ] || say "fetching the Go modules of go.mod (some 100 MB, once)"
fetch "the Go modules of go.mod" go mod download
[ -z "$tests$bench$rivals" ] || fetch "the benchmarks' modules" go -C app/bench mod download
tools=
[ -z "$tests$packages" ] || tools=nfpm
[ -z "$windows" ] || tools="$tools go-winres cyclonedx-gomod"
[ -z "$packages" ] || tools="$tools actionlint"
[ -z "$tests" ] || fetch staticcheck go -C packaging/tools tool -n staticcheck
if [ -n "$tools" ]; then
	# The tools for packages are built once, from a module of their own. Tests look up their paths.
	say "building the pinned tools (about a minute the first time)"
	for tool in $tools; do
		fetch "$tool" go -C packaging/tools/pack tool -n "$tool"
	done
fi

packaging/native/unpack.sh || fail "the native libraries cannot be used (see above)"

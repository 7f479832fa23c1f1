#!/bin/sh
# Runs a command in the Debian of root.sh, in a mount namespace with this repository, Go's folder, /tmp and the devices under their own names, a
# new Wine prefix and a display in memory. run.sh starts programs inside. All of them end with the command.
#
#   enter.sh COMMAND…
#
# WINE_HOME  folder of the prefix and of the files that the programs write (default: a new folder, removed at the end)
set -eu
top=$(cd "$(dirname "$0")/../../.." && pwd)
if [ -z "${WINE_ROOT:-}" ]; then
	WINE_ROOT=$("$top/packaging/windows/wine/root.sh") || { echo "wine: run packaging/windows/wine/root.sh make first" >&2; exit 1; }
	export WINE_ROOT
	exec unshare --mount --propagation private "$0" "$@"
fi
keep=${WINE_HOME:-}
WINE_HOME=${keep:-$(mktemp -d /tmp/wine-XXXXXX)}
export WINE_HOME
mkdir -p "$WINE_HOME"

gcc -shared -fPIC -O1 -o "$WINE_HOME/preload.so" "$top/packaging/windows/wine/preload.c"
inside() { chroot "$WINE_ROOT" /usr/bin/env -i HOME="$WINE_HOME" WINEPREFIX="$WINE_HOME/prefix" WINEDEBUG=-all LD_PRELOAD="$WINE_HOME/preload.so" PATH=/usr/bin:/bin LANG=C.UTF-8 "$@"; }
display=
leave() {
	exec 9>&- # otherwise a program that starts now would start the server again and keep running
	inside wineserver -k 2>/dev/null || true
	inside wineserver -w 2>/dev/null || true
	[ -z "$display" ] || kill "$display" 2>/dev/null || true
	# The socket of Wine's server is in /tmp/wine-*, in a folder named after the device and inode of the prefix.
	for socket in /tmp/wine-*/"server-$(stat -c %D "$WINE_HOME/prefix")-$(printf %x "$(stat -c %i "$WINE_HOME/prefix")")"; do
		rm -rf "${socket%/server-*}"
	done
	[ -n "$keep" ] || rm -rf "$WINE_HOME"
}
trap leave EXIT
trap 'exit 130' INT TERM

for folder in /proc /dev /tmp "$top" "$(go env GOROOT)" "$(go env GOMODCACHE)"; do
	mkdir -p "$WINE_ROOT$folder"
	mount --rbind "$folder" "$WINE_ROOT$folder"
done

# The X server chooses the number of the display. picture.sh takes pictures from the file that the server draws into.
mkfifo "$WINE_HOME/number"
chroot "$WINE_ROOT" /usr/bin/env -i HOME="$WINE_HOME" PATH=/usr/bin:/bin \
	Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3>"$WINE_HOME/number" >/dev/null 2>&1 &
display=$!
read -r number <"$WINE_HOME/number"
rm "$WINE_HOME/number"
export WINE_DISPLAY=":$number"
WINE_GOROOT="Z:$(go env GOROOT | tr / '\134')"
export WINE_GOROOT

# Wine's server creates the files, so its umask decides whether other users appear in their access lists.
umask 077
# The first start creates the prefix, without .NET and without a web browser.
inside DISPLAY="$WINE_DISPLAY" WINEDLLOVERRIDES="mscoree,mshtml=" wineboot --init >/dev/null 2>&1
# For each stat, Wine asks the process of its mount manager for the volume. Without this process a stat takes less than half as long, and the
# drives still work.
inside DISPLAY="$WINE_DISPLAY" wine reg add 'HKLM\System\CurrentControlSet\Services\MountMgr' /v Start /t REG_DWORD /d 4 /f >/dev/null 2>&1
inside wineserver -k
inside wineserver -w
# A program that keeps running becomes the parent of Wine's services. Otherwise the first program of the command would be their parent, and they
# would keep its output open.
mkfifo "$WINE_HOME/stay"
inside DISPLAY="$WINE_DISPLAY" wine cmd <"$WINE_HOME/stay" >/dev/null 2>&1 &
exec 9>"$WINE_HOME/stay"
"$@"

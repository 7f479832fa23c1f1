#!/bin/sh
# Runs a command in a mount namespace in which the Debian of root.sh sees this repository, Go's own folder, /tmp and the devices
# under their own names, with a fresh Windows («prefix») and a display in memory. Programs inside are started by run.sh.
# Everything that runs inside ends with the command.
#
#   enter.sh COMMAND…
#
# WINE_HOME  the folder of the prefix and of what the programs leave (default: a new one, removed at the end)
set -eu
top=$(cd "$(dirname "$0")/../../.." && pwd)
if [ -z "${WINE_ROOT:-}" ]; then
	WINE_ROOT=$("$top/packaging/windows/wine/root.sh") || { echo "wine: packaging/windows/wine/root.sh make has not been run" >&2; exit 1; }
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
	exec 9>&- # a program that stays and begins only now would begin a server again, and stay
	inside wineserver -k 2>/dev/null || true
	inside wineserver -w 2>/dev/null || true
	[ -z "$display" ] || kill "$display" 2>/dev/null || true
	# Its server's socket is in a folder of its own, /tmp/wine-*, in one that is called by device and inode of the prefix.
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

# A display of its own, whose number nobody has to guess. Pictures are taken of the file that it draws into (picture.sh).
mkfifo "$WINE_HOME/number"
chroot "$WINE_ROOT" /usr/bin/env -i HOME="$WINE_HOME" PATH=/usr/bin:/bin \
	Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3>"$WINE_HOME/number" >/dev/null 2>&1 &
display=$!
read -r number <"$WINE_HOME/number"
rm "$WINE_HOME/number"
export WINE_DISPLAY=":$number"
WINE_GOROOT="Z:$(go env GOROOT | tr / '\134')"
export WINE_GOROOT

# Wine's server makes the files, with its own mask: others would be in the access lists of everything that a program makes.
umask 077
# The first start makes the prefix. No program asks for .NET or for web pages.
inside DISPLAY="$WINE_DISPLAY" WINEDLLOVERRIDES="mscoree,mshtml=" wineboot --init >/dev/null 2>&1
# Wine asks its manager of mounts, a process of its own, for the volume of every file whose state is asked: without it that takes less
# than half as long. The drives are there all the same.
inside DISPLAY="$WINE_DISPLAY" wine reg add 'HKLM\System\CurrentControlSet\Services\MountMgr' /v Start /t REG_DWORD /d 4 /f >/dev/null 2>&1
inside wineserver -k
inside wineserver -w
# A program that stays, so that Wine's own services are its children: those of the first program of the command would keep that one's
# output open after its end.
mkfifo "$WINE_HOME/stay"
inside DISPLAY="$WINE_DISPLAY" wine cmd <"$WINE_HOME/stay" >/dev/null 2>&1 &
exec 9>"$WINE_HOME/stay"
"$@"

#!/bin/sh
# Tests the Linux packages of a folder in an otherwise empty Debian: install, first start, index, search, upgrade while the app runs, remove and
# purge, and briefly the same for .rpm and .tar.gz. It fails if a removed package leaves any file except the user's data. Needs root, debootstrap,
# and a network or the base system of an earlier run in DIST/build.
#
#   clean-root.sh DIST      (OLDER_DEB: the .deb to upgrade from; default: the package itself as version 0.0.1)
set -eu
dist=$(realpath "$1")
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "clean-root: needs root, for chroot" >&2; exit 1; }
base=$dist/build/debian
work=$(mktemp -d)
root=$work/root
user=tester

say() { printf '\n== %s\n' "$*"; }
fail() { echo "clean-root: $*" >&2; exit 1; }

# own_processes lists the processes that run inside the root.
own_processes() {
	for process in /proc/[0-9]*; do
		[ "$(readlink "$process/root" 2>/dev/null)" = "$root" ] && basename "$process"
	done
	return 0
}
# the_app prints the process ID of the app.
the_app() {
	for process in $(own_processes); do
		[ "$(cat "/proc/$process/comm" 2>/dev/null)" = search-mcp-app ] && echo "$process"
	done
	return 0
}
leave() {
	for process in $(own_processes); do kill "$process" 2>/dev/null || true; done
	sleep 1
	for process in $(own_processes); do kill -9 "$process" 2>/dev/null || true; done
	umount "$root/proc" 2>/dev/null || true
}
trap 'leave; rm -rf "$work"' EXIT

# fresh FOLDER… makes a clean root with a user who has one project, and with the folders that the base of another distribution has.
fresh() {
	[ ! -d "$root" ] || { leave; rm -rf "$root"; }
	cp -a "$base" "$root"
	mount -t proc proc "$root/proc"
	chroot "$root" useradd --create-home --shell /bin/sh $user
	project=$root/home/$user/project
	mkdir -p "$project/kettle"
	printf 'package kettle\n\n// Boil heats the water until it bubbles, then whistles.\nfunc Boil(litres float64) error { return heat(litres, 100) }\n' >"$project/kettle/boil.go"
	printf '# Tea\n\nHow to brew a pot of tea for guests.\n' >"$project/README.md"
	mkdir "$project/.git"
	chroot "$root" chown -R $user: "/home/$user"
	for folder in "$@"; do mkdir -p "$root/$folder"; done
	files >"$work/before"
}
# as PROGRAM… runs a program as the user, with a minimal environment.
as() {
	chroot --userspec=$user "$root" /usr/bin/env -i HOME="/home/$user" PATH="$paths" SEARCH_MCP_DESKTOP=off LANG=C.UTF-8 "$@"
}
paths=/usr/bin:/bin
# files lists all files except the databases of the package managers and the user's home folder.
files() {
	(cd "$root" && find . -xdev \( -path ./proc -o -path ./var/lib/dpkg -o -path ./var/lib/rpm -o -path ./var/cache -o -path ./var/log -o -path "./home/$user" -o -path ./tmp \) -prune -o -print | sort)
}
# use indexes and searches the project like a new user.
use() {
	as search-mcp index --yes "/home/$user/project"
	as search-mcp search --project "/home/$user/project" "heat water until it whistles" | tee "$work/answer"
	grep -q 'kettle/boil.go' "$work/answer" || fail "the search did not find kettle/boil.go"
	as search-mcp search --docs --project "/home/$user/project" "brew tea" | grep -q README.md || fail "the search did not find README.md"
	as search-mcp doctor || fail "doctor reported problems"
}
# ended waits until the processes of the package have ended.
ended() {
	waited=0
	while [ -n "$(own_processes)" ]; do
		waited=$((waited + 1))
		[ $waited -lt 180 ] || fail "the app still runs three minutes after it was removed"
		sleep 1
	done
	echo "the app ended after $waited s"
}
# path_printed checks that the removal printed the path of the data.
path_printed() { grep -qF '/.mcp/search' "$work/removed" || fail "the removal does not print where the data is"; }
# clean compares the files with those before the installation.
clean() {
	files >"$work/after"
	diff "$work/before" "$work/after" || fail "the lines above were left behind"
	[ -d "$root/home/$user/.mcp/search/indexes" ] || fail "the user's data is missing"
	(cd "$root/home/$user" && find . -mindepth 1 -maxdepth 1 ! -name '.mcp' ! -name project ! -name '.bash*' ! -name .profile ! -name .cache | grep .) && fail "the lines above were left in the user's home folder"
	echo "only the user's data in ~/.mcp/search remains"
}
one() { # prints the newest file that matches a pattern
	# shellcheck disable=SC2012,SC2086 # the names are known, and the pattern must expand
	ls -t "$dist"/$1 2>/dev/null | head -n 1
}

packaging/test/debian.sh "$base"
deb=$(one 'search-mcp-*-linux-amd64.deb') rpm=$(one 'search-mcp-*-linux-amd64.rpm') archive=$(one 'search-mcp-*-linux-amd64.tar.gz')
for file in "$deb" "$rpm" "$archive"; do
	[ -n "$file" ] || fail "$dist has no .deb, .rpm or .tar.gz for linux/amd64: make package-linux"
done

fresh
if [ -n "${OLDER_DEB:-}" ]; then
	say "an older version is installed: $(basename "$OLDER_DEB")"
	cp "$OLDER_DEB" "$root/tmp/older.deb"
else
	say "an older version is installed: $(basename "$deb") as 0.0.1"
	# dpkg does not verify signatures, and the signing key may not be available.
	sed -e 's/^version: .*/version: 0.0.1/' -e 's/key_file: .*/key_file: ""/' "$dist/build/$(basename "$deb" .deb).deb.yaml" >"$work/older.yaml"
	# nfpm writes its errors to standard output.
	"$NFPM" package --config "$work/older.yaml" --packager deb --target "$root/tmp/older.deb" >"$work/nfpm.log" || { cat "$work/nfpm.log" >&2; fail "nfpm could not build an older version"; }
fi
chroot "$root" dpkg -i /tmp/older.deb
chroot "$root" dpkg --verify search-mcp || fail "files differ from the package"
find "$root/etc/systemd/user" "$root/etc/xdg/systemd" -name 'search-mcp*' 2>/dev/null | grep . && fail "the service is enabled"
grep -qx Hidden=true "$root/etc/xdg/autostart/io.searchmcp.app.desktop" || fail "autostart is enabled"
use

say "upgrade while the app runs"
app=$(the_app)
cp "$deb" "$root/tmp/newer.deb"
chroot "$root" dpkg -i /tmp/newer.deb
waited=0
until [ "$(grep -c 'msg=starting' "$root/home/$user/.mcp/search/logs/app.log")" -ge 2 ]; do
	waited=$((waited + 1))
	[ $waited -lt 180 ] || { tail -n 20 "$root/home/$user/.mcp/search/logs/app.log"; fail "the app did not restart"; }
	sleep 1
done
echo "the app has restarted after $waited s"
[ "$(the_app)" = "$app" ] || fail "the app restarted as another process"
as search-mcp search --project "/home/$user/project" "heat water until it whistles" | grep -q kettle/boil.go || fail "no answer after the upgrade"
as search-mcp projects --json | grep -q '"/home/'$user'/project"' || fail "the project is not indexed after the upgrade"
as search-mcp doctor || fail "doctor reported problems after the upgrade"

say "remove"
chroot "$root" dpkg -r search-mcp | tee "$work/removed"
path_printed
ended
say "purge"
chroot "$root" dpkg -P search-mcp
clean

say "$(basename "$rpm")"
# The packages filesystem and systemd of Fedora own these folders, so rpm does not remove them.
fresh etc/xdg/autostart usr/lib/systemd/user usr/share/applications usr/share/icons usr/share/metainfo \
	usr/share/fish/vendor_completions.d usr/share/zsh/site-functions
mkdir -p "$root/var/lib/rpm"
rpm --root "$root" --dbpath /var/lib/rpm --nodeps --nosignature -i "$rpm" # its dependencies have the names of Fedora
rpm --root "$root" --dbpath /var/lib/rpm --nodeps -V search-mcp || fail "files differ from the package"
use
rpm --root "$root" --dbpath /var/lib/rpm -e search-mcp | tee "$work/removed"
path_printed
ended
clean

say "$(basename "$archive")"
fresh
mkdir -p "$root/home/$user/.local"
tar -xzf "$archive" --strip-components=1 -C "$root/home/$user/.local"
chroot "$root" chown -R $user: "/home/$user/.local"
paths=/home/$user/.local/bin:/usr/bin:/bin
use
as search-mcp stop

say "all tests passed"

#!/bin/sh
# Tries the Linux packages of a folder like a user, in an otherwise empty Debian: install, first start, index, search,
# upgrade under a running app, remove, purge; the same in short for .rpm and .tar.gz. Any file left behind other than the user's own
# data is a failure. Needs root, debootstrap and a network (or the base system of an earlier run in DIST/build).
#
#   clean-root.sh DIST      (OLDER_DEB: the .deb to upgrade from; without it the package itself, called 0.0.1)
set -eu
dist=$(realpath "$1")
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "clean-root: needs root, for chroot" >&2; exit 1; }
base=$dist/build/debian
work=$(mktemp -d)
root=$work/root
person=tester

say() { printf '\n== %s\n' "$*"; }
fail() { echo "clean-root: $*" >&2; exit 1; }

# ours: processes that run inside the root, and no others
ours() {
	for process in /proc/[0-9]*; do
		[ "$(readlink "$process/root" 2>/dev/null)" = "$root" ] && basename "$process"
	done
	return 0
}
# the_app: the process of the app, not one of its workers
the_app() {
	for process in $(ours); do
		[ "$(cat "/proc/$process/comm" 2>/dev/null)" = search-mcp-app ] && echo "$process"
	done
	return 0
}
leave() {
	for process in $(ours); do kill "$process" 2>/dev/null || true; done
	sleep 1
	for process in $(ours); do kill -9 "$process" 2>/dev/null || true; done
	umount "$root/proc" 2>/dev/null || true
}
trap 'leave; rm -rf "$work"' EXIT

# fresh FOLDER…: a clean root with one ordinary user who has one project, and with folders that another distribution's base has
fresh() {
	[ ! -d "$root" ] || { leave; rm -rf "$root"; }
	cp -a "$base" "$root"
	mount -t proc proc "$root/proc"
	chroot "$root" useradd --create-home --shell /bin/sh $person
	project=$root/home/$person/project
	mkdir -p "$project/kettle"
	printf 'package kettle\n\n// Boil heats the water until it bubbles, then whistles.\nfunc Boil(litres float64) error { return heat(litres, 100) }\n' >"$project/kettle/boil.go"
	printf '# Tea\n\nHow to brew a pot of tea for guests.\n' >"$project/README.md"
	mkdir "$project/.git"
	chroot "$root" chown -R $person: "/home/$person"
	for folder in "$@"; do mkdir -p "$root/$folder"; done
	files >"$work/before"
}
# as PROGRAM…: as the user, with an empty environment; the standard library of paths only
as() {
	chroot --userspec=$person "$root" /usr/bin/env -i HOME="/home/$person" PATH="$paths" SEARCH_MCP_DESKTOP=off LANG=C.UTF-8 "$@"
}
paths=/usr/bin:/bin
# files lists what a package could leave behind: everything but the package managers' own books and the user's home
files() {
	(cd "$root" && find . -xdev \( -path ./proc -o -path ./var/lib/dpkg -o -path ./var/lib/rpm -o -path ./var/cache -o -path ./var/log -o -path "./home/$person" -o -path ./tmp \) -prune -o -print | sort)
}
# use: the first search of a new user
use() {
	as search-mcp index --yes "/home/$person/project"
	as search-mcp search --project "/home/$person/project" "heat water until it whistles" | tee "$work/answer"
	grep -q 'kettle/boil.go' "$work/answer" || fail "the search did not find kettle/boil.go"
	as search-mcp search --docs --project "/home/$person/project" "brew tea" | grep -q README.md || fail "the search did not find README.md"
	as search-mcp doctor || fail "doctor found something"
}
# ended: waits until the package's processes have ended
ended() {
	waited=0
	while [ -n "$(ours)" ]; do
		waited=$((waited + 1))
		[ $waited -lt 180 ] || fail "the app still runs three minutes after it was removed"
		sleep 1
	done
	echo "the app has ended by itself after $waited s"
}
# told: the removal has printed the path of the data
told() { grep -qF '/.mcp/search' "$work/removed" || fail "the removal does not say where the data is"; }
# clean: compares with what was there before
clean() {
	files >"$work/after"
	diff "$work/before" "$work/after" || fail "the lines above were left behind"
	[ -d "$root/home/$person/.mcp/search/indexes" ] || fail "the person's data is gone"
	(cd "$root/home/$person" && find . -mindepth 1 -maxdepth 1 ! -name '.mcp' ! -name project ! -name '.bash*' ! -name .profile ! -name .cache | grep .) && fail "the lines above were left in the person's home"
	echo "nothing is left but the person's data in ~/.mcp/search"
}
one() { # one PATTERN: the newest such file
	# shellcheck disable=SC2012,SC2086 # our own names, a pattern on purpose
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
	# Unsigned: dpkg doesn't look, and the key that the packages were signed with may be gone or locked.
	sed -e 's/^version: .*/version: 0.0.1/' -e 's/key_file: .*/key_file: ""/' "$dist/build/$(basename "$deb" .deb).deb.yaml" >"$work/older.yaml"
	# nfpm says what is wrong on its standard output
	"$NFPM" package --config "$work/older.yaml" --packager deb --target "$root/tmp/older.deb" >"$work/nfpm.log" || { cat "$work/nfpm.log" >&2; fail "no package of an older version"; }
fi
chroot "$root" dpkg -i /tmp/older.deb
chroot "$root" dpkg --verify search-mcp || fail "files differ from the package"
find "$root/etc/systemd/user" "$root/etc/xdg/systemd" -name 'search-mcp*' 2>/dev/null | grep . && fail "the service is switched on"
grep -qx Hidden=true "$root/etc/xdg/autostart/io.searchmcp.app.desktop" || fail "autostart is switched on"
use

say "upgrade while the app runs"
app=$(the_app)
cp "$deb" "$root/tmp/newer.deb"
chroot "$root" dpkg -i /tmp/newer.deb
waited=0
until [ "$(grep -c 'msg=starting' "$root/home/$person/.mcp/search/logs/app.log")" -ge 2 ]; do
	waited=$((waited + 1))
	[ $waited -lt 180 ] || { tail -n 20 "$root/home/$person/.mcp/search/logs/app.log"; fail "the app did not restart"; }
	sleep 1
done
echo "the app has restarted after $waited s"
[ "$(the_app)" = "$app" ] || fail "the app restarted as another process"
as search-mcp search --project "/home/$person/project" "heat water until it whistles" | grep -q kettle/boil.go || fail "no answer after the upgrade"
as search-mcp projects --json | grep -q '"/home/'$person'/project"' || fail "the project is not indexed after the upgrade"
as search-mcp doctor || fail "doctor found something after the upgrade"

say "removed"
chroot "$root" dpkg -r search-mcp | tee "$work/removed"
told
ended
say "purged"
chroot "$root" dpkg -P search-mcp
clean

say "$(basename "$rpm")"
# Fedora's packages «filesystem» and «systemd» own these; rpm leaves them, and dpkg would not.
fresh etc/xdg/autostart usr/lib/systemd/user usr/share/applications usr/share/icons usr/share/metainfo \
	usr/share/fish/vendor_completions.d usr/share/zsh/site-functions
mkdir -p "$root/var/lib/rpm"
rpm --root "$root" --dbpath /var/lib/rpm --nodeps --nosignature -i "$rpm" # the names of its dependencies are Fedora's
rpm --root "$root" --dbpath /var/lib/rpm --nodeps -V search-mcp || fail "files differ from the package"
use
rpm --root "$root" --dbpath /var/lib/rpm -e search-mcp | tee "$work/removed"
told
ended
clean

say "$(basename "$archive")"
fresh
mkdir -p "$root/home/$person/.local"
tar -xzf "$archive" --strip-components=1 -C "$root/home/$person/.local"
chroot "$root" chown -R $person: "/home/$person/.local"
paths=/home/$person/.local/bin:/usr/bin:/bin
use
as search-mcp stop

say "all is well"

#!/bin/sh
# Runs the instructions of packaging/container/Dockerfile in a clean Debian, starts its command as process 1 in new namespaces, and uses it as
# docs/admin.md describes. It needs no container engine, so it does not test layers, registries and networks. Needs root, debootstrap and a
# network.
#
#   container.sh DIST
set -eu
dist=$(realpath "$1")
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "container: needs root, for chroot" >&2; exit 1; }
work=$(mktemp -d)
root=$work/root
first=''

say() { printf '\n== %s\n' "$*"; }
fail() { echo "container: $*" >&2; exit 1; }
leave() {
	[ -z "$first" ] || kill -9 "$first" 2>/dev/null || true
	wait
	for folder in packages src; do umount "$root/$folder" 2>/dev/null || true; done
	rm -rf --one-file-system "$work"
}
trap leave EXIT

# The user, the variables (NAME=VALUE …) of the image and of the build, and the command, as the instructions set them.
user=root variables=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin arguments='' command=''

# build runs a shell command in the image.
build() {
	# shellcheck disable=SC2086 # lists of assignments
	chroot --userspec="$user:$user" "$root" /usr/bin/env -i $variables $arguments /bin/sh -c "$1"
}
# begin starts the command as process 1 with its own /proc, like the run command of a container engine.
begin() {
	# shellcheck disable=SC2086 # lists of assignments and words
	unshare --pid --fork --kill-child --mount-proc="$root/proc" \
		chroot --userspec="$user:$user" "$root" /usr/bin/env -i HOME="/home/$user" $variables $command &
	outer=$! first=''
	while [ -z "$first" ]; do
		kill -0 $outer || fail "the command did not start"
		read -r first <"/proc/$outer/task/$outer/children" || true
	done
}
# inside COMMAND… runs a command, like the exec command of a container engine.
inside() {
	# shellcheck disable=SC2086 # a list of assignments
	nsenter --target "$first" --pid --mount -- chroot --userspec="$user:$user" "$root" /usr/bin/env -i HOME="/home/$user" $variables "$@"
}
# end stops the command, like the stop command of a container engine, which kills processes that still run after ten seconds.
end() {
	kill -TERM "$first"
	waited=0
	while kill -0 "$first" 2>/dev/null; do
		waited=$((waited + 1))
		[ $waited -le 100 ] || fail "the app did not end within ten seconds"
		sleep 0.1
	done
	wait $outer || fail "the app ended with $?"
	first=''
}
# found searches for the content of the project in other words.
found() {
	inside search-mcp search --project /src/kettle "heat water until it whistles" | tee "$work/answer"
	grep -q '^boil.go' "$work/answer" || fail "the search did not find boil.go"
}

packaging/test/debian.sh "$dist/build/debian"
cp -a "$dist/build/debian" "$root"

sed -e '/^ *#/d' -e '/^$/d' packaging/container/Dockerfile | sed -e ':more' -e '/\\$/{N;s/\\\n *//;b more' -e '}' >"$work/instructions"
while read -r instruction rest <&3; do
	say "$instruction $rest"
	case $instruction in
	FROM) [ "$rest" = debian:12-slim ] || fail "this test supports only Debian 12" ;;
	ARG) arguments="$arguments $rest" ;;
	ENV) variables="$variables $rest" ;;
	USER) user=$rest ;;
	VOLUME) [ -d "$root/$rest" ] || mkdir "$root/$rest" ;; # an engine creates it as root
	CMD) command=$(printf '%s' "$rest" | tr -d '[]",') ;;
	RUN)
		case $rest in
		--mount=type=bind,target=/packages\ *)
			mkdir "$root/packages"
			mount --bind "$dist" "$root/packages"
			build "${rest#* }"
			umount "$root/packages"
			rmdir "$root/packages"
			;;
		--*) fail "this test does not support this option" ;;
		*) build "$rest" ;;
		esac
		;;
	*) fail "this test does not support this instruction" ;;
	esac
done 3<"$work/instructions"

say "a project, mounted read-only"
mkdir -p "$work/src/kettle/.git" "$root/src"
printf 'package kettle\n\n// Boil heats the water until it bubbles, then whistles.\nfunc Boil(litres float64) error { return heat(litres, 100) }\n' >"$work/src/kettle/boil.go"
chmod -R a+rX "$work/src"
mount --bind "$work/src" "$root/src"
mount -o remount,bind,ro "$root/src"

say "run"
begin
inside search-mcp index /src/kettle --yes
found
inside search-mcp doctor || fail "doctor reported problems"

say "an editor outside"
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"editor","version":"1"}}}' |
	inside search-mcp mcp --project /src/kettle | tee "$work/answer"
grep -q '"serverInfo"' "$work/answer" || fail "the bridge did not answer"

say "stop, and run again with the same volume"
end
begin
found
end

say "all tests passed"

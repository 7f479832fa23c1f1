#!/bin/sh
# Lists the commits that do not follow CONTRIBUTING.md: a subject "package: what changed" of at most 76 characters, an empty line before the
# body, and no fixup commits. Merges are skipped.
#
#   commits.sh RANGE      (such as origin/main..HEAD)
set -eu
range=${1:?usage: commits.sh RANGE}
export LC_ALL=C.UTF-8 # wc counts characters

commits=$(git rev-list --no-merges "$range")
bad=
for commit in $commits; do
	subject=$(git log -1 --format=%B "$commit" | sed -n 1p)
	second=$(git log -1 --format=%B "$commit" | sed -n 2p)
	wrong=
	length=$(printf %s "$subject" | wc -m | tr -d ' ')
	[ "$length" -le 76 ] || wrong="$wrong; the subject has $length characters, 76 is the most"
	[ -z "$second" ] || wrong="$wrong; no empty line after the subject"
	case $subject in
	fixup!* | squash!* | amend!* | wip* | WIP*) wrong="$wrong; unfinished" ;;
	*": "*) ;;
	*) wrong="$wrong; the subject is not 'package: what changed'" ;;
	esac
	case $subject in
	*.) wrong="$wrong; the subject ends with a full stop" ;;
	esac
	if [ -n "$wrong" ]; then
		printf '%.9s %s\n    %s\n' "$commit" "$subject" "${wrong#; }" >&2
		bad=yes
	fi
done
[ -z "$bad" ] || exit 1
echo "commits: $(printf '%s' "$commits" | grep -c .) are correct"

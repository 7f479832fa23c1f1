#!/bin/bash
# Runs the tests of a package in the present folder under Wine, as what `go test -exec` takes: some at a time, so that one that hangs
# or ends its process costs no others. What skips.txt names is left out. What a process of tests says goes to TEST_LOGS, a file
# per package, and is shown when something failed.
#
#   tests.sh PROGRAM ARG…       (in what enter.sh has made)
#
# A test fails once and for all. Only where Wine has ended or held a process (see lost) is what it was at run once more, and the lane
# says so.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
package=${PWD#"$top"/}
log=$TEST_LOGS/${package//\//-}.log
part=$log.part
size=12     # tests in a process
minutes=8   # for them; on a quiet machine the slowest need two
: >"$log"
trap 'rm -f "$part"' EXIT

# Tests and their parts (TEST/PART), as Go's flag takes them.
skip=$(awk -v package="$package" '$1 == package { printf "%s%s", n++ ? "|" : "", $2 }' "$here/skips.txt" | sed -e 's=/=$/^=g' -e 's=|=$|^=g')
[ -z "$skip" ] || set -- "$@" "-test.skip=^$skip\$"

# run_part PATTERN ARG…: one process. PATTERN is empty for whatever the arguments name.
run_part() {
	local pattern=$1 status=0
	shift
	# Go's own limit shows where each goroutine is; the other is for a process that Wine does not let end.
	timeout -k 10 $((minutes * 60 + 30)) "$here/run.sh" "$@" -test.v -test.timeout=${minutes}m ${pattern:+"-test.run=^($pattern)\$"} \
		</dev/null >"$part" 2>&1 || status=$?
	cat "$part" >>"$log"
	return $status
}
# finished STATUS: every test of the process has come to its end.
finished() { [ "$1" = 0 ] || grep -qxE $'FAIL\r?' "$part"; }
# lost STATUS: Wine has ended it, and Go said nothing of a reason; or a call that asks Wine what a file is did not come back. (Wine
# asks another process of its own for the file's volume, whose answer is lost at times.)
lost() {
	if grep -q '^panic: test timed out' "$part"; then
		grep -A 6 -E '^goroutine [0-9]+ \[syscall, [0-9]+ minutes' "$part" | grep -q '^syscall\.GetFileInformationByHandle('
	else
		[ "$1" != 124 ] && [ "$1" != 137 ] && ! grep -qE '^(panic: |fatal error: |runtime: |--- FAIL: |Exception 0x)' "$part"
	fi
}
started() { sed -nE 's/^=== RUN +([A-Za-z0-9_]+)\r?$/\1/p' "$part"; }
ended() { sed -nE 's/^--- [A-Z]+: ([A-Za-z0-9_]+) .*/\1/p' "$part"; }
without() { grep -vxF -f "$1" || true; }

case " $* " in
*' -test.run='*) run_part '' "$@" || { cat "$part"; exit 1; }; exit ;;
esac
# All in the order of the sources. A name that is not built for Windows matches nothing.
wanted=$(grep -hoE '^func (Test|Fuzz|Example)[A-Za-z0-9_]*' ./*_test.go | sed 's/^func //' | grep -vx TestMain || true)
failed='' again=''
while [ -n "$wanted" ]; do
	now=$(head -n $size <<<"$wanted")
	status=0
	run_part "$(tr '\n' '|' <<<"$now" | sed 's/|$//')" "$@" || status=$?
	if finished $status; then
		wanted=$(tail -n +$((size + 1)) <<<"$wanted")
		[ $status = 0 ] || { failed=yes; cat "$part"; }
		continue
	fi
	left=$(started | without <(ended; echo))
	where=$(tr "\n" " " <<<"${left:-its start}")
	where=${where% }
	wanted=$(without <(started; echo) <<<"$wanted")
	if lost $status && [ "$again" != "$where" ]; then
		again=$where
		echo "wine: $package: a process ended with $status in $where, by Wine; it is run once more" | tee -a "$log"
		wanted=$(printf '%s\n%s\n' "$left" "$wanted" | sed '/^$/d')
		continue
	fi
	failed=yes
	cat "$part"
	echo "wine: $package: a process ended with $status in $where; the others go on" | tee -a "$log"
	# Where no test has begun, none of these will.
	[ -n "$(started)" ] || wanted=$(without <(echo "$now") <<<"$wanted")
done
[ -z "$failed" ]

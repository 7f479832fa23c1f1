#!/bin/bash
# Runs the tests of a package in the current folder under Wine, as the program for `go test -exec`. It runs a few tests per process, so that a test
# that hangs or crashes affects no others. It skips the tests in skips.txt. The output goes to a file per package in TEST_LOGS and is shown if a
# test fails.
#
#   tests.sh PROGRAM ARG…       (inside the namespace of enter.sh)
#
# A failed test is not repeated. Only if Wine ended or blocked the process (see lost), its tests run again, which is reported.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
package=${PWD#"$top"/}
log=$TEST_LOGS/${package//\//-}.log
part=$log.part
size=12     # tests per process
minutes=8   # limit per process; the slowest take two on an idle machine
: >"$log"
trap 'rm -f "$part"' EXIT

# Tests and subtests (TEST/PART) in the form of Go's flag.
skip=$(awk -v package="$package" '$1 == package { printf "%s%s", n++ ? "|" : "", $2 }' "$here/skips.txt" | sed -e 's=/=$/^=g' -e 's=|=$|^=g')
[ -z "$skip" ] || set -- "$@" "-test.skip=^$skip\$"

# run_part PATTERN ARG… runs one process. If PATTERN is empty, the arguments select the tests.
run_part() {
	local pattern=$1 status=0
	shift
	# Go's limit prints the stack of each goroutine. The second limit is for a process that does not end under Wine.
	timeout -k 10 $((minutes * 60 + 30)) "$here/run.sh" "$@" -test.v -test.timeout=${minutes}m ${pattern:+"-test.run=^($pattern)\$"} \
		</dev/null >"$part" 2>&1 || status=$?
	cat "$part" >>"$log"
	return $status
}
# finished STATUS reports whether every test of the process has ended.
finished() { [ "$1" = 0 ] || grep -qxE $'FAIL\r?' "$part"; }
# lost STATUS reports whether Wine ended the process without an error message from Go, or a stat did not return. (For a stat, Wine asks another
# process for the volume, and sometimes loses the answer.)
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
# All tests in the order of the sources. Tests that are not built for Windows match nothing.
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
		echo "wine: $package: a process ended with $status in $where because of Wine; its tests run again" | tee -a "$log"
		wanted=$(printf '%s\n%s\n' "$left" "$wanted" | sed '/^$/d')
		continue
	fi
	failed=yes
	cat "$part"
	echo "wine: $package: a process ended with $status in $where; the other tests continue" | tee -a "$log"
	# If no test has started, none of them will.
	[ -n "$(started)" ] || wanted=$(without <(echo "$now") <<<"$wanted")
done
[ -z "$failed" ]

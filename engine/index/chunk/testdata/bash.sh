#!/usr/bin/env bash
# Sends yesterday's reports.
set -euo pipefail

readonly SPOOL=/var/spool/reports
export RETRIES=3
declare -A sent=()

# log prints a message with the time.
log() {
  printf '%s %s\n' "$(date +%T)" "$1" >&2
}

function send_report {
  local file=$1
  for ((i = 0; i < RETRIES; i++)); do
    if curl --fail --data-binary "@$file" "$ENDPOINT"; then
      sent[$file]=1
      return 0
    fi
    log "retry $file"
  done
  return 1
}

for f in "$SPOOL"/*.txt; do
  send_report "$f" || log "gave up on $f"
done

count() { # <array>
  eval "length=\${#${1}[@]}"
}

after_count() { count sent; }

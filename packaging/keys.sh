#!/bin/sh
# Writes the keys that a release workflow has as secrets to files that only this user can read, and prints the variables that make
# package expects, as NAME=file lines. What is empty is left out.
#
#   keys.sh FOLDER        (SIGNING_KEY, WINDOWS_CERTIFICATE_PEM and WINDOWS_KEY_PEM from the environment)
set -eu
umask 077
mkdir -p "$1"
# keep TEXT FILE VARIABLE
keep() {
	[ -n "$1" ] || return 0
	printf '%s\n' "$1" >"$2"
	echo "$3=$2"
}
keep "${SIGNING_KEY:-}" "$1/signing.asc" SIGNING_KEY_FILE
keep "${WINDOWS_CERTIFICATE_PEM:-}" "$1/windows.pem" WINDOWS_CERTIFICATE
keep "${WINDOWS_KEY_PEM:-}" "$1/windows.key" WINDOWS_KEY

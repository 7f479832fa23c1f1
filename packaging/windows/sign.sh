#!/bin/sh
# Signs a Windows program or installer in place (Authenticode), if there is a certificate; says so if there is none.
#
#   sign.sh FILE
#
# WINDOWS_CERTIFICATE  PEM file: the certificate and those between it and the root
# WINDOWS_KEY          PEM file of its private key (WINDOWS_KEY_PASSPHRASE unlocks it)
# WINDOWS_TIMESTAMP    address of a timestamp authority (RFC 3161); without it the signature ends with the certificate
set -eu
if [ -z "${WINDOWS_CERTIFICATE:-}" ]; then
	echo "$(basename "$1") is not signed: WINDOWS_CERTIFICATE is not set"
	exit
fi
set -- "$1" -n "Search MCP" -h sha256 -certs "$WINDOWS_CERTIFICATE" -key "$WINDOWS_KEY"
file=$1
shift
[ -z "${WINDOWS_TIMESTAMP:-}" ] || set -- "$@" -ts "$WINDOWS_TIMESTAMP"
if [ -n "${WINDOWS_KEY_PASSPHRASE:-}" ]; then
	passphrase=$(mktemp)
	trap 'rm -f "$passphrase"' EXIT
	printf '%s' "$WINDOWS_KEY_PASSPHRASE" >"$passphrase"
	set -- "$@" -readpass "$passphrase"
fi
osslsigncode sign "$@" -in "$file" -out "$file.signed" >/dev/null
mv "$file.signed" "$file"
echo "$(basename "$file") is signed"

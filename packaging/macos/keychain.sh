#!/bin/sh
# Makes a keychain for a release workflow with the signing certificate and the credentials for notarisation. Prints NOTARY_PROFILE and
# NOTARY_KEYCHAIN for the next steps. Empty variables are skipped.
#
#   keychain.sh        (MACOS_CERTIFICATE: base64 of a .p12, MACOS_CERTIFICATE_PASSWORD, NOTARY_APPLE_ID, NOTARY_TEAM_ID, NOTARY_PASSWORD)
set -eu
[ -n "${MACOS_CERTIFICATE:-}" ] || exit 0
keychain=$HOME/Library/Keychains/search-mcp-release.keychain-db
password=$(openssl rand -hex 24)
p12=$(mktemp)
trap 'rm -f "$p12"' EXIT
printf '%s' "$MACOS_CERTIFICATE" | base64 --decode >"$p12"
{
	security create-keychain -p "$password" "$keychain"
	security set-keychain-settings -lut 7200 "$keychain"
	security unlock-keychain -p "$password" "$keychain"
	security import "$p12" -k "$keychain" -P "${MACOS_CERTIFICATE_PASSWORD:-}" -T /usr/bin/codesign
	security set-key-partition-list -S apple-tool:,apple: -s -k "$password" "$keychain"
	security list-keychains -d user -s "$keychain" login.keychain-db
} >&2
[ -n "${NOTARY_APPLE_ID:-}" ] || exit 0
xcrun notarytool store-credentials search-mcp-release --keychain "$keychain" --apple-id "$NOTARY_APPLE_ID" --team-id "$NOTARY_TEAM_ID" --password "$NOTARY_PASSWORD" >&2
echo "NOTARY_PROFILE=search-mcp-release"
echo "NOTARY_KEYCHAIN=$keychain"

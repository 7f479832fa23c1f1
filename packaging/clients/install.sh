#!/bin/sh
# Installs the clients for make test-clients into the given folder. They are not part of the product.
set -eu

folder=$1
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
cp "$here"/package.json "$here"/*.mjs "$here"/*.py "$folder"

# A new list of versions is installed again.
stamp=$(cat "$here/package.json" "$here/requirements.txt" | sha256sum)
if [ "$(cat "$folder/installed" 2>/dev/null)" = "$stamp" ]; then
	exit 0
fi
command -v npm >/dev/null || { echo "make test-clients needs npm and python3 (Debian, Ubuntu: apt-get install npm python3-venv)" >&2; exit 1; }
npm install --prefix "$folder" --no-audit --no-fund --no-package-lock --loglevel error
# npm may be configured to skip the install scripts of packages. The script of the package node only links the program for this machine.
[ -x "$folder/node_modules/node/bin/node" ] || (cd "$folder/node_modules/node" && node installArchSpecificPackage)
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
printf '%s' "$stamp" >"$folder/installed"

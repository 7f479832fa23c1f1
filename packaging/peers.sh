#!/bin/sh
# Installs the clients for make test-clients or the language servers for make bench-symbols, which are not part of the product.
#
#   peers.sh SOURCE FOLDER     (SOURCE: packaging/clients or packaging/servers)
set -eu
source=$1 folder=$2
gopls=v0.23.0
mkdir -p "$folder"
cp "$source"/* "$folder"

# A new list of versions is installed again.
stamp=$( (cat "$source/package.json" "$source/requirements.txt"; echo "$gopls") | sha256sum)
if [ "$(cat "$folder/installed" 2>/dev/null)" = "$stamp" ]; then
	exit 0
fi
command -v npm >/dev/null || { echo "npm and python3 are missing (Debian, Ubuntu: apt-get install npm python3-venv)" >&2; exit 1; }
npm install --prefix "$folder" --no-audit --no-fund --no-package-lock --loglevel error
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check --requirement "$source/requirements.txt"
case $source in
*clients)
	# npm may be configured to skip the install scripts of packages. The script of the package node only links the program for this machine.
	[ -x "$folder/node_modules/node/bin/node" ] || (cd "$folder/node_modules/node" && node installArchSpecificPackage)
	;;
*servers)
	GOBIN=$(cd "$folder" && pwd)/bin go install "golang.org/x/tools/gopls@$gopls"
	rustup component add rust-analyzer || echo "without rustup, select projects in other languages with -project" >&2
	;;
esac
printf '%s' "$stamp" >"$folder/installed"

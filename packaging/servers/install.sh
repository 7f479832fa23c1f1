#!/bin/sh
# Installs the language servers for make bench-symbols into the given folder. They are not part of the product.
set -eu

folder=$1
here=$(cd "$(dirname "$0")" && pwd)
gopls=v0.23.0
mkdir -p "$folder"
cp "$here/package.json" "$folder"

# A new list of versions is installed again.
stamp=$( (cat "$here/package.json" "$here/requirements.txt"; echo "$gopls") | sha256sum)
if [ "$(cat "$folder/installed" 2>/dev/null)" = "$stamp" ]; then
	exit 0
fi
command -v npm >/dev/null || { echo "make bench-symbols needs npm and python3 (Debian, Ubuntu: apt-get install npm python3-venv)" >&2; exit 1; }
npm install --prefix "$folder" --no-audit --no-fund --no-package-lock --loglevel error
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
GOBIN=$(cd "$folder" && pwd)/bin go install "golang.org/x/tools/gopls@$gopls"
rustup component add rust-analyzer || echo "without rustup, select projects in other languages with -project" >&2
printf '%s' "$stamp" >"$folder/installed"

#!/bin/sh
# Extracts the library from a Python package, which pip downloads and verifies.
#
#   wheel.sh PACKAGE VERSION TAG:SHA256 FILE [LICENCES]     (LICENCES: the folder for the licences in the package)
set -eu
package=$1 version=$2 tag=${3%:*} sha256=${3#*:} file=$4 licences=${5:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "$package==$version --hash=sha256:$sha256" >"$work/wanted"
python3 -m pip download --disable-pip-version-check -q --no-deps --only-binary=:all: --require-hashes --requirement "$work/wanted" \
	--python-version 312 --implementation cp --abi cp312 --platform "$tag" --dest "$work" >&2
python3 -m zipfile -e "$work"/*.whl "$work"
found=$(find "$work/$package/capi" -type f \( -name "lib$package.*" -o -name "$package.dll" \))
[ -f "$found" ] || { echo "wheel: the package does not contain exactly one library: $found" >&2; exit 1; }
cp "$found" "$file"
[ -z "$licences" ] || for name in LICENSE ThirdPartyNotices; do
	cp "$(find "$work/$package" -maxdepth 1 -name "$name*")" "$licences/$package-$name.txt"
done

#!/bin/sh
# Makes the Windows installer from cross-compiled programs (make package-windows). With a certificate it signs the programs, the uninstaller and
# the installer (sign.sh).
#
#   pack.sh PROGRAMS DIST
#
# Without LanceDB's DLL in packaging/native/windows-amd64/lib the name of the installer contains "incomplete", because its app does not start. Such
# an installer is only for tests of the installer itself.
set -eu
programs=$(realpath "$1") dist=$(realpath -m "$2")
cd "$(dirname "$0")/../.."
lib=${LIBRARIES:-packaging/native/windows-amd64/lib} # tests set another folder, also for MODEL
work=$dist/build/windows-installer
files=$work/files
output=$dist/search-mcp-$VERSION-windows-amd64-setup.exe

rm -rf "$work"
mkdir -p "$files/model" "$files/licences"
for program in search-mcp search-mcp-app search-mcp-worker search-mcp-window; do
	cp "$programs/$program.exe" "$files/"
	packaging/windows/sign.sh "$files/$program.exe"
done
cp "$lib/onnxruntime.dll" "$files/"
if [ -f "$lib/lancedb_go.dll" ]; then
	cp "$lib/lancedb_go.dll" "$files/"
	packaging/windows/sign.sh "$files/lancedb_go.dll"
else
	output=$dist/search-mcp-$VERSION-windows-amd64-setup-incomplete.exe
	echo "LanceDB's DLL is missing, so $(basename "$output") is only for tests of the installer"
fi
for file in minilm-l6-v2-int8.onnx vocab.txt model.json LICENSE; do
	cp "${MODEL:-assets/model}/$file" "$files/model/"
done
cp LICENSE "$files/LICENSE.txt"
cp assets/licences/*.txt "$files/licences/"
cp "$dist/search-mcp-$VERSION-windows-amd64.cdx.json" "$files/sbom.cdx.json"
cp assets/icons/app.ico "$work/app.ico"
find "$work" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +

# Tests set MAKENSIS_OPTIONS to one option.
makensis -V2 -NOCD ${MAKENSIS_OPTIONS:+"$MAKENSIS_OPTIONS"} -DVERSION="$VERSION" -DNUMBERS="${VERSION%%[-+]*}.0" -DFILES="$files" -DOUTPUT="$output" \
	-DSIGN="$PWD/packaging/windows/sign.sh" packaging/windows/installer.nsi
packaging/windows/winget.sh "$output" "$dist"
echo "$output"

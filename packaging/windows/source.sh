#!/bin/sh
# Prepares FOLDER and packaging/native/windows-amd64/lib for cross-compiling the programs for Windows with mingw-w64.
#
#   source.sh FOLDER          (below the repository)
#
# - It makes an import library for LanceDB's DLL from the C header in the Go module, because the linker needs one.
# - It copies the Go module lancedb-go and passes a length as size_t instead of unsigned long, which has 32 bits on Windows and does not compile.
#   FOLDER/go.mod replaces the module with this copy (go build -modfile).
# - It unpacks the DLLs of LanceDB and ONNX Runtime and verifies them.
set -eu
cd "$(dirname "$0")/../.."
folder=$1
lib=packaging/native/windows-amd64/lib
module=$(go list -m -f '{{.Dir}}' github.com/lancedb/lancedb-go)
mkdir -p "$folder" "$lib"

header=$module/include/lancedb.h
{
	echo "LIBRARY lancedb_go.dll"
	echo "EXPORTS"
	grep -oE '\b(simple_lancedb|lancedb)_[a-z0-9_]+ *\(' "$header" | tr -d ' (' | sort -u
} >"$folder/lancedb_go.def"
x86_64-w64-mingw32-dlltool --def "$folder/lancedb_go.def" --dllname lancedb_go.dll --output-lib "$lib/liblancedb_go.a"

copy=$folder/lancedb-go
[ ! -d "$copy" ] || chmod -R u+w "$copy"
rm -rf "$copy"
mkdir "$copy"
cp -R "$module/pkg" "$module/include" "$module/go.mod" "$copy/"
chmod -R u+w "$copy"
sed -i 's/C\.ulong(len(/C.size_t(len(/' "$copy/pkg/internal/table.go"
grep -q 'C\.size_t(len(ipcBytes))' "$copy/pkg/internal/table.go" || { echo "windows: lancedb-go has changed, so packaging/windows/source.sh must change too" >&2; exit 1; }
cp go.mod go.sum "$folder/"
go mod edit -replace "github.com/lancedb/lancedb-go=./$copy" "$folder/go.mod"

packaging/native/unpack.sh windows/amd64

#!/bin/sh
# Brings FOLDER and packaging/native/windows-amd64/lib to where the programs can be cross-compiled for Windows by mingw-w64.
#
#   source.sh FOLDER          (below the repository)
#
# - An import library for LanceDB's DLL, made from the C header in the Go module, as a linker wants one.
# - A copy of the Go module lancedb-go in which a length is passed as size_t: it says unsigned long, which has 32 bits on Windows
#   and does not compile there. FOLDER/go.mod is this repository's with that copy in the module's place (go build -modfile).
# - The DLLs of LanceDB and ONNX Runtime, unpacked and checked against the lock file.
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
grep -q 'C\.size_t(len(ipcBytes))' "$copy/pkg/internal/table.go" || { echo "windows: lancedb-go has changed; look at packaging/windows/source.sh" >&2; exit 1; }
cp go.mod go.sum "$folder/"
go mod edit -replace "github.com/lancedb/lancedb-go=./$copy" "$folder/go.mod"

go run ./packaging/native/unpack -platform windows/amd64

#!/bin/sh
# Cross-compiles the programs for Windows to FOLDER/bin, together with the libraries and the model.
#
#   build.sh FOLDER [without-window]     (FOLDER below the repository; VERSION from the environment)
#
# Compiling the C code of the window takes eight minutes of processor time the first time.
set -eu
cd "$(dirname "$0")/../../.."
folder=$1
window=./app/cmd/search-mcp-window
[ "${2:-}" != without-window ] || window=
packaging/windows/source.sh "$folder"
WINRES=$(go -C packaging/tools/pack tool -n go-winres) packaging/windows/resources.sh
mkdir -p "$folder/bin/model"
export GOOS=windows GOARCH=amd64 CC=x86_64-w64-mingw32-gcc CXX=x86_64-w64-mingw32-g++
stamp="-X searchmcp/app/version.Version=$VERSION"
CGO_ENABLED=0 go build -ldflags "$stamp" -o "$folder/bin/" ./app/cmd/search-mcp
CGO_ENABLED=0 go build -ldflags "$stamp -H=windowsgui" -o "$folder/bin/" ./app/cmd/search-mcp-app
# shellcheck disable=SC2086 # empty or one word
CGO_ENABLED=1 go build -modfile="$folder/go.mod" -ldflags "$stamp -H=windowsgui" -o "$folder/bin/" ./app/cmd/search-mcp-worker $window
for file in packaging/native/windows-amd64/lib/*.dll; do ln -f "$file" "$folder/bin/"; done
for file in minilm-l6-v2-int8.onnx vocab.txt model.json LICENSE; do cp "assets/model/$file" "$folder/bin/model/"; done

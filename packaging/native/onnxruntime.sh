#!/bin/sh
# Brings ONNX Runtime's library for a platform to packaging/native/<goos>-<goarch>/lib where the lock file has no archive of it:
# fetched by the Python package client and checked against the lock file. One that is there is left alone. Needs pip and xz.
#
#   onnxruntime.sh [GOOS/GOARCH]      (default: this machine's)
set -eu
cd "$(dirname "$0")/../.."
platform=${1:-$(go env GOOS)/$(go env GOARCH)}
folder=packaging/native/$(echo "$platform" | tr / -)
case $platform in
windows/*) name=onnxruntime.dll ;;
darwin/*) name=libonnxruntime.dylib ;;
*) name=libonnxruntime.so ;;
esac
[ ! -f "$folder/lib/$name" ] || exit 0
if [ -f "$folder/$name.xz" ]; then
	exec go run ./packaging/native/unpack -platform "$platform"
fi
scratch=dist/build/natives # renew rewrites its lock file: a copy's
mkdir -p "$scratch/packaging/native" "$folder/lib"
cp packaging/native/native.lock.json "$scratch/packaging/native/"
go run ./packaging/native/renew -root "$scratch" -platform "$platform" -library onnxruntime
xz -dc "$scratch/$folder/$name.xz" >"$folder/lib/$name.part" # renew has verified the wheel and the file
mv "$folder/lib/$name.part" "$folder/lib/$name"
rm -rf "$scratch"

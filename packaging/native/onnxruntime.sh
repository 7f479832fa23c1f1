#!/bin/sh
# Fetches the library of ONNX Runtime to packaging/native/<goos>-<goarch>/lib for a platform without an archive in the lock file. pip fetches it,
# and the lock file verifies it. An existing library is kept. Needs pip and xz.
#
#   onnxruntime.sh [GOOS/GOARCH]      (default: the platform of this machine)
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
scratch=dist/build/natives # renew changes its lock file, so it works on a copy
mkdir -p "$scratch/packaging/native" "$folder/lib"
cp packaging/native/native.lock.json "$scratch/packaging/native/"
go run ./packaging/native/renew -root "$scratch" -platform "$platform" -library onnxruntime
xz -dc "$scratch/$folder/$name.xz" >"$folder/lib/$name.part" # renew verified the wheel and the file
mv "$folder/lib/$name.part" "$folder/lib/$name"
rm -rf "$scratch"

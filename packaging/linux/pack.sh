#!/bin/sh
# Makes the Linux packages from release builds of the programs: .deb, .rpm and a relocatable .tar.gz.
#
#   pack.sh PROGRAMS DIST ARCH
#
# Environment: the variables of stage.sh and nfpm.sh.
set -eu
programs=$(realpath "$1") dist=$(realpath -m "$2") arch=$3
cd "$(dirname "$0")/../.."
mkdir -p "$dist/build"
stage=$dist/build/stage-linux-$arch

packaging/linux/stage.sh "$programs" "$stage"
packaging/linux/nfpm.sh packaging/linux/nfpm.yaml "$stage" "$arch" "$dist" "search-mcp-$VERSION-linux-$arch"

# The archive contains the same tree, a service for the home folder, and a file that explains the installation.
name=search-mcp-$VERSION-linux-$arch
tree=$dist/build/$name
rm -rf "$tree"
cp -a "$stage" "$tree"
sed -i 's|/usr/bin/|%h/.local/bin/|' "$tree/lib/systemd/user/search-mcp.service"
sed -e "s|@VERSION@|$VERSION|g" -e "s|@ARCH@|$arch|g" packaging/linux/README.archive >"$tree/README"
chmod 644 "$tree/README"
packaging/linux/tar.sh "$dist/build" "$name" "$dist/$name.tar.gz"
rm -rf "$tree"
echo "$dist/$name.tar.gz"

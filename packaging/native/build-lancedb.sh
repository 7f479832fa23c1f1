#!/usr/bin/env bash
# Builds liblancedb_go from the Rust source in the Go module lancedb-go and writes it, compressed, to packaging/native/<platform>/. `make native`
# runs it. Needs cargo, protoc with its well-known types, and xz.
#
#   build-lancedb.sh [goos-goarch]      default: the platform of this machine
#
# linux-amd64 is built and tested with this script. It takes about 18 minutes on two cores. cargo fetches the crates in the versions of the
# module's Cargo.lock. windows-amd64 is cross-compiled on Debian with mingw-w64 and rustc 1.86 or later, including the standard library of Rust
# (Debian 12: rustc-web cargo-web rust-web-src nasm cmake g++-mingw-w64-x86-64-posix). The committed library was built with LANCEDB_OPT=1 in 57
# minutes on two cores; a build with -O3 and link-time optimisation was not completed. The recipes for other platforms are untested and need the
# Rust target and the linker of the platform.
set -euo pipefail

module=github.com/lancedb/lancedb-go
version=v0.1.2
lancedb_crate=0.22.1
lancedb_sha256=f8149ce2a24268e757572716b44985ad0573156e101dfdefb49e6de212c989df

here=$(cd "$(dirname "$0")" && pwd)
platform=${1:-$(go env GOOS)-$(go env GOARCH)}
work=${LANCEDB_BUILD_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/searchmcp/build/lancedb-$version-$platform}

case $platform in
linux-amd64)   target=x86_64-unknown-linux-gnu;   lib=liblancedb_go.so;    cpu="-C target-cpu=x86-64-v3" ;;
linux-arm64)   target=aarch64-unknown-linux-gnu;  lib=liblancedb_go.so;    cpu="" ;;
darwin-amd64)  target=x86_64-apple-darwin;        lib=liblancedb_go.dylib; cpu="" ;;
darwin-arm64)  target=aarch64-apple-darwin;       lib=liblancedb_go.dylib; cpu="" ;;
windows-amd64) target=x86_64-pc-windows-gnu;      lib=lancedb_go.dll;      cpu="-C target-cpu=x86-64-v3" ;;
*) echo "build-lancedb: no recipe for $platform" >&2; exit 2 ;;
esac

for tool in cargo protoc xz go patch; do
	command -v "$tool" >/dev/null || { echo "build-lancedb: $tool is missing (Debian: cargo, protobuf-compiler libprotobuf-dev, xz-utils, patch)" >&2; exit 2; }
done

# The go command verifies the module with go.sum. Its folder in the module cache is read-only, so it is copied. GOFLAGS=-mod=mod lets the command run
# in a module that does not require it.
source_dir=$(cd "$here/../.." && go mod download -json "$module@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
[ -n "$source_dir" ] || { echo "build-lancedb: go mod download returned no folder for $module@$version" >&2; exit 1; }
mkdir -p "$work"
rm -rf "$work/rust"
cp -r "$source_dir/rust" "$work/rust"
chmod -R u+w "$work/rust"

# The bindings put the object store options of a connection into the environment of the process, without the endpoint. The patch passes them to
# the connection instead.
patch --strip=1 --directory="$work" --input="$here/lancedb-go.patch"

# The published crate of the same version replaces the git checkout of the LanceDB repository, and its entry in Cargo.lock changes accordingly. All
# other versions stay. S3 is the only object store that is compiled in, for the shared index.
sed -i "s|^lancedb = { git = .*|lancedb = { version = \"=$lancedb_crate\", default-features = false, features = [\"aws\"] }|" "$work/rust/Cargo.toml"
cat >>"$work/rust/Cargo.toml" <<'TOML'

# Compared with a generic build without link-time optimisation, a flat search takes half the time and the library is 21 MB smaller. Unwinding stays
# enabled, because tokio tasks catch panics of lance.
[profile.release]
lto = "thin"
codegen-units = 4
strip = "symbols"
panic = "unwind"
TOML
registry=$(awk -F'"' '/^source = "registry\+/ { print $2; exit }' "$work/rust/Cargo.lock")
sed -i "s|^source = \"git+[^\"]*lancedb.git?tag=v$lancedb_crate#.*\"\$|source = \"$registry\"\nchecksum = \"$lancedb_sha256\"|" "$work/rust/Cargo.lock"
# The feature "aws" of lance adds one line to Cargo.lock. The crate itself is locked already.
sed -i '/^name = "lance"$/,/^]$/ s/^ "aws-sdk-dynamodb",$/ "aws-credential-types",\n&/' "$work/rust/Cargo.lock"

# lance 0.37 needs a higher recursion limit than the default of rustc 1.95 ("queries overflow the depth limit"). The limit is an attribute of the
# crate, so a wrapper adds it without editing the sources.
cat >"$work/rustc-wrapper" <<'SH'
#!/bin/sh
rustc=$1; shift
prev=
for arg in "$@"; do
	if [ "$prev" = --crate-name ]; then
		case $arg in lance|lancedb|lancedb_go)
			export RUSTC_BOOTSTRAP=1
			exec "$rustc" "$@" '-Zcrate-attr=recursion_limit="512"' ;;
		esac
	fi
	prev=$arg
done
exec "$rustc" "$@"
SH
chmod +x "$work/rustc-wrapper"

export CARGO_TARGET_DIR="$work/target" RUSTC_WRAPPER="$work/rustc-wrapper"
# Removes the paths of this machine and of cargo's registry from panic messages of the library. The name and version of the crate stay.
(cd "$work/rust" && cargo fetch --locked --target "$target")
export RUSTFLAGS="$cpu --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
for folder in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*; do
	RUSTFLAGS+=" --remap-path-prefix=$folder=crates"
done
RUSTFLAGS+=" --remap-path-prefix=$work=lancedb"
build=(cargo build --release --lib --locked --target "$target")
if [ "$platform" = windows-amd64 ] && [ "$(go env GOHOSTOS)" != windows ]; then
	for part in CC_x86_64_pc_windows_gnu=gcc CXX_x86_64_pc_windows_gnu=g++ AR_x86_64_pc_windows_gnu=ar CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=gcc; do
		export "${part%%=*}=x86_64-w64-mingw32-${part#*=}"
	done
	export RUSTC_BOOTSTRAP=1 # Debian has no package of the standard library for Windows
	build+=('-Zbuild-std=std,panic_unwind')
	sed -i 's/^crate-type = .*/crate-type = ["cdylib"]/' "$work/rust/Cargo.toml" # a static library is not needed
	[ -z "${LANCEDB_OPT:-}" ] || build+=(--config "profile.release.opt-level=$LANCEDB_OPT" --config 'profile.release.lto=false')
fi
(cd "$work/rust" && "${build[@]}")

# The licences of all crates must be distributed with the library. The list is generated from the compiled sources.
if [ "$platform" = linux-amd64 ]; then
	(cd "$here/../.." && go run ./packaging/licences -crates "$work/rust" -target "$target" -o assets/licences/lancedb-crates.txt)
	cp "$source_dir/LICENSE" "$here/../../assets/licences/lancedb-LICENSE.txt"
	chmod 644 "$here/../../assets/licences/lancedb-LICENSE.txt"
fi

built="$CARGO_TARGET_DIR/$target/release/$lib"
mkdir -p "$here/$platform"
xz --threads=2 -9e --keep --stdout "$built" >"$here/$platform/$lib.xz.part"
mv "$here/$platform/$lib.xz.part" "$here/$platform/$lib.xz"
echo "built $platform/$lib.xz"
sha256sum "$built" "$here/$platform/$lib.xz"

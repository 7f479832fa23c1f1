#!/usr/bin/env bash
# Builds liblancedb_go from the Rust source that the Go module lancedb-go carries and writes it, compressed,
# to packaging/native/<platform>/. Run through `make native`; needs cargo, protoc with its well-known types and xz.
#
#   build-lancedb.sh [goos-goarch]      default: this machine's platform
#
# linux-amd64 is built and tested with it. windows-amd64 is cross-compiled on Debian by mingw-w64 and rustc 1.86 or later with the source
# of its standard library, which is compiled on the way (Debian 12: rustc-web cargo-web rust-web-src nasm cmake g++-mingw-w64-x86-64-posix);
# LANCEDB_OPT=1 is what is committed: 57 minutes on two cores, where -O3 with link-time optimisation was not waited for. The other
# recipes are written from the same facts and untested: they need that platform's Rust target and linker.
#
# linux-amd64 takes about 18 minutes on two cores (33 CPU minutes). The crates come through cargo, pinned by the module's own Cargo.lock.
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

# The module is verified against go.sum by the go command; its folder in the module cache is read-only, so copy it.
# GOFLAGS=-mod=mod lets the command run outside a module that requires it.
source_dir=$(cd "$here/../.." && go mod download -json "$module@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
[ -n "$source_dir" ] || { echo "build-lancedb: go mod download gave no folder for $module@$version" >&2; exit 1; }
mkdir -p "$work"
rm -rf "$work/rust"
cp -r "$source_dir/rust" "$work/rust"
chmod -R u+w "$work/rust"

# The bindings put a connection's object-store options into the environment of the process, and leave out the endpoint; the
# patch hands them to the connection instead.
patch --strip=1 --directory="$work" --input="$here/lancedb-go.patch"

# The crate of the same version is published, so a git checkout of the whole LanceDB repository is not needed. Its line
# in Cargo.lock becomes that of its neighbours; every other pin stays as the module's authors locked it. Of the object
# stores only S3's is compiled in, for the shared index.
sed -i "s|^lancedb = { git = .*|lancedb = { version = \"=$lancedb_crate\", default-features = false, features = [\"aws\"] }|" "$work/rust/Cargo.toml"
cat >>"$work/rust/Cargo.toml" <<'TOML'

# Measured: half the flat-search time of a generic build without link-time optimisation, and 21 MB less.
# Unwinding stays: lance's panics cross into tokio tasks and are caught there.
[profile.release]
lto = "thin"
codegen-units = 4
strip = "symbols"
panic = "unwind"
TOML
registry=$(awk -F'"' '/^source = "registry\+/ { print $2; exit }' "$work/rust/Cargo.lock")
sed -i "s|^source = \"git+[^\"]*lancedb.git?tag=v$lancedb_crate#.*\"\$|source = \"$registry\"\nchecksum = \"$lancedb_sha256\"|" "$work/rust/Cargo.lock"
# The one line that lance's feature «aws» adds to what is locked; the crate itself is among the locked ones already.
sed -i '/^name = "lance"$/,/^]$/ s/^ "aws-sdk-dynamodb",$/ "aws-credential-types",\n&/' "$work/rust/Cargo.lock"

# lance 0.37 needs a deeper recursion limit than rustc 1.95 gives it («queries overflow the depth limit»). The limit is a
# crate attribute, so only a wrapper can add it without editing registry sources.
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
# Paths of the building machine must not end up in panic messages of the library, nor the folder that cargo names after the
# registry: the crate's name and version say where a message comes from.
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
	export RUSTC_BOOTSTRAP=1 # there is no standard library for Windows among Debian's packages
	build+=('-Zbuild-std=std,panic_unwind')
	sed -i 's/^crate-type = .*/crate-type = ["cdylib"]/' "$work/rust/Cargo.toml" # a static library of it all is of no use
	[ -z "${LANCEDB_OPT:-}" ] || build+=(--config "profile.release.opt-level=$LANCEDB_OPT" --config 'profile.release.lto=false')
fi
(cd "$work/rust" && "${build[@]}")

# What is inside must be named wherever the library goes; the list is written from the sources that were just compiled.
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

#!/bin/sh
# Builds the universal Search MCP.app and its .dmg on a Mac, and signs and notarises them if an identity is set. On other systems, or with
# DRY_RUN=yes, it only prints the steps. It has not been run on a Mac yet, only with fakes of the tools of macOS (packaging/test).
#
#   pack.sh DIST
#
# Environment: VERSION, SOURCE_DATE_EPOCH, RELEASE_LDFLAGS (make), and
#   MACOS_IDENTITY   name of a "Developer ID Application" certificate in the keychain; without it the app is signed ad hoc
#   NOTARY_PROFILE   profile created by `xcrun notarytool store-credentials`; without it nothing is notarised
#   NOTARY_KEYCHAIN  keychain of the profile (default: the user's keychain)
#   NATIVE, MODEL    folders of the native libraries (default: packaging/native, where make native writes darwin-<arch>/lib) and of the
#                    model (default: assets/model)
set -eu
dist=$1
cd "$(dirname "$0")/../.."
[ "$(uname -s)" = Darwin ] || DRY_RUN=yes
work=$dist/build/macos
app="$work/Search MCP.app"
contents="$app/Contents"
dmg=$dist/search-mcp-$VERSION-macos-universal.dmg
native=${NATIVE:-packaging/native}
model=${MODEL:-assets/model}
minimum=14.0 # required by ONNX Runtime for Apple silicon (native/libraries.txt)

# step COMMAND… runs the command, or prints it.
step() {
	if [ "${DRY_RUN:-}" = yes ]; then
		printf '  '
		printf ' %s' "$@"
		echo
	else
		"$@"
	fi
}
# fill FROM TO
fill() {
	sed -e "s|@NUMBERS@|${VERSION%%[-+]*}|" -e "s|@BUILD@|$(git rev-list --count HEAD)|" -e "s|@MINIMUM@|$minimum|" "$1" >"$2"
}
# sign FILE… signs files. Inner files are signed first. Notarisation requires the timestamp and the runtime option. Without an identity, the
# hardened runtime would not let the program load its libraries.
sign() {
	if [ -n "${MACOS_IDENTITY:-}" ]; then
		step codesign --force --timestamp --options runtime --sign "$MACOS_IDENTITY" "$@"
	else
		step codesign --force --sign - "$@"
	fi
}
# relink LIBRARY PROGRAM makes a program find a library through its rpath.
relink() {
	called=NAME
	[ "${DRY_RUN:-}" = yes ] || called=$(otool -D "$1" | tail -n 1)
	step install_name_tool -change "$called" "@rpath/$(basename "$1")" "$2"
}

echo "programs for both architectures"
for arch in amd64 arm64; do
	step mkdir -p "$work/$arch"
	step env CGO_ENABLED=0 GOOS=darwin GOARCH=$arch go build -trimpath -tags release -ldflags "$RELEASE_LDFLAGS" -o "$work/$arch/" ./app/cmd/search-mcp
	step env CGO_ENABLED=1 GOOS=darwin GOARCH=$arch MACOSX_DEPLOYMENT_TARGET=$minimum go build -trimpath -tags release,migrated_fynedo \
		-ldflags "$RELEASE_LDFLAGS" -o "$work/$arch/" ./app/cmd/search-mcp-app ./app/cmd/search-mcp-worker ./app/cmd/search-mcp-window
	relink "$native/darwin-$arch/lib/liblancedb_go.dylib" "$work/$arch/search-mcp-worker"
done

echo "the bundle"
step rm -rf "$app"
step mkdir -p "$contents/MacOS" "$contents/Frameworks" "$contents/Resources/model" "$contents/Resources/licences"
for program in search-mcp search-mcp-app search-mcp-worker search-mcp-window; do
	step lipo -create "$work/amd64/$program" "$work/arm64/$program" -output "$contents/MacOS/$program"
done
for library in liblancedb_go.dylib libonnxruntime.dylib; do
	step lipo -create "$native/darwin-amd64/lib/$library" "$native/darwin-arm64/lib/$library" -output "$contents/Frameworks/$library"
	step install_name_tool -id "@rpath/$library" "$contents/Frameworks/$library"
done
step cp "$model/minilm-l6-v2-int8.onnx" "$model/vocab.txt" "$model/model.json" "$model/LICENSE" "$contents/Resources/model/"
step cp LICENSE assets/licences/go-modules.txt assets/licences/lancedb-LICENSE.txt assets/licences/lancedb-crates.txt \
	assets/licences/onnxruntime-LICENSE.txt assets/licences/onnxruntime-ThirdPartyNotices.txt "$contents/Resources/licences/"
step fill packaging/macos/Info.plist "$contents/Info.plist"
step plutil -lint "$contents/Info.plist" packaging/macos/entitlements.plist

echo "the icon"
step mkdir -p "$work/app.iconset"
for size in 16 32 128 256 512; do
	step sips -z $size $size assets/icons/app.png --out "$work/app.iconset/icon_${size}x$size.png"
done
step iconutil --convert icns --output "$contents/Resources/app.icns" "$work/app.iconset"

echo "signatures"
sign "$contents/Frameworks/liblancedb_go.dylib" "$contents/Frameworks/libonnxruntime.dylib"
sign --entitlements packaging/macos/entitlements.plist "$contents/MacOS/search-mcp" "$contents/MacOS/search-mcp-worker" \
	"$contents/MacOS/search-mcp-window"
sign --entitlements packaging/macos/entitlements.plist "$app"
step codesign --verify --deep --strict --verbose=2 "$app"

echo "the disk image"
step rm -rf "$work/image"
step mkdir -p "$work/image"
step cp -R "$app" "$work/image/"
step ln -s /Applications "$work/image/Applications"
step hdiutil create -volname "Search MCP" -srcfolder "$work/image" -format UDZO -ov "$dmg"
sign "$dmg"

if [ -n "${NOTARY_PROFILE:-}" ] || [ "${DRY_RUN:-}" = yes ]; then
	echo "notarisation (with NOTARY_PROFILE)"
	step xcrun notarytool submit "$dmg" --keychain-profile "${NOTARY_PROFILE:-PROFILE}" ${NOTARY_KEYCHAIN:+--keychain "$NOTARY_KEYCHAIN"} --wait
	step xcrun stapler staple "$dmg"
	step spctl --assess --type open --context context:primary-signature --verbose "$dmg"
fi
if [ "${DRY_RUN:-}" = yes ]; then
	echo "dry run: nothing was done; a Mac would make $dmg"
else
	echo "$dmg"
fi

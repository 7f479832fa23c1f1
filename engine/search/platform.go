package search

import (
	"path"
	"strings"
)

// platform is a set of operating systems and the like, for which projects have files of their own.
type platform uint8

// The platforms.
const (
	onAndroid platform = 1 << iota
	onIOS
	onMacOS
	onWindows
	onLinux
	onBSD
	onWasm
)

// platforms are the words for them in questions and paths. Words that mostly mean something else, such as node and web,
// are left out.
var platforms = map[string]platform{
	"android": onAndroid, "ios": onIOS, "macos": onMacOS, "osx": onMacOS, "darwin": onMacOS | onIOS,
	"apple":   onMacOS | onIOS,
	"windows": onWindows, "win32": onWindows, "linux": onLinux, "unix": onLinux | onMacOS | onBSD,
	"posix":   onLinux | onMacOS | onBSD,
	"freebsd": onBSD, "openbsd": onBSD, "netbsd": onBSD, "wasm": onWasm, "wasm32": onWasm, "wasi": onWasm,
}

// platformFactor is the factor of a file for another platform than the query is about.
const platformFactor = 0.6

// otherPlatform reports whether a path is for platforms, and for none of those that are wanted. A name counts as a
// folder or as the last word of a file's name: android/, poll_windows.go.
func otherPlatform(p string, wanted platform) bool {
	folder, base := path.Split(strings.ToLower(p))
	var own platform
	for part := range strings.SplitSeq(folder, "/") {
		own |= platforms[part]
	}
	bare, _, _ := strings.Cut(base, ".")
	own |= platforms[bare[strings.LastIndexAny(bare, "_-")+1:]]
	return own != 0 && own&wanted == 0
}

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
	"apple": onMacOS | onIOS, "iphone": onIOS, "ipad": onIOS,
	"windows": onWindows, "win32": onWindows, "linux": onLinux, "unix": onLinux | onMacOS | onBSD,
	"posix":   onLinux | onMacOS | onBSD,
	"freebsd": onBSD, "openbsd": onBSD, "netbsd": onBSD, "wasm": onWasm, "wasm32": onWasm, "wasi": onWasm,
}

// Factors of a file's score where the query is about a platform.
const (
	otherPlatformFactor = 0.6  // the file is for another one
	anyPlatformFactor   = 0.85 // it is for none of its own, and other candidates are for the one asked about
)

// platformsOf are those that a path is for. A name counts as a folder or as the last word of a file's name: android/,
// poll_windows.go.
func platformsOf(p string) (own platform) {
	folder, base := path.Split(strings.ToLower(p))
	for part := range strings.SplitSeq(folder, "/") {
		own |= platforms[part]
	}
	bare, _, _ := strings.Cut(base, ".")
	return own | platforms[bare[strings.LastIndexAny(bare, "_-")+1:]]
}

// platformFactor is what a file's score is multiplied by for the platforms that it is for, and why. known says that
// some candidate is for a platform that the query names.
func (q *parsedQuery) platformFactor(own platform, known bool) (factor float64, name string) {
	switch {
	case q.platforms == 0 || own&q.platforms != 0:
		return 1, ""
	case own != 0:
		return otherPlatformFactor, "another platform"
	case known:
		return anyPlatformFactor, "no platform of its own"
	}
	return 1, ""
}

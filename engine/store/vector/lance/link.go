//go:build cgo && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package lance

// The program loads LanceDB from lib/ in its own folder. An installed program loads it from ../lib/search-mcp on Linux,
// and from ../Frameworks on macOS.

/*
#cgo linux,amd64 LDFLAGS: -L${SRCDIR}/../../../../packaging/native/linux-amd64/lib -llancedb_go -Wl,-rpath,$ORIGIN/lib -Wl,-rpath,$ORIGIN/../lib/search-mcp
#cgo linux,arm64 LDFLAGS: -L${SRCDIR}/../../../../packaging/native/linux-arm64/lib -llancedb_go -Wl,-rpath,$ORIGIN/lib -Wl,-rpath,$ORIGIN/../lib/search-mcp
#cgo darwin,amd64 LDFLAGS: -L${SRCDIR}/../../../../packaging/native/darwin-amd64/lib -llancedb_go -Wl,-rpath,@executable_path/lib -Wl,-rpath,@executable_path/../Frameworks
#cgo darwin,arm64 LDFLAGS: -L${SRCDIR}/../../../../packaging/native/darwin-arm64/lib -llancedb_go -Wl,-rpath,@executable_path/lib -Wl,-rpath,@executable_path/../Frameworks
#cgo windows,amd64 LDFLAGS: -L${SRCDIR}/../../../../packaging/native/windows-amd64/lib -llancedb_go
*/
import "C"

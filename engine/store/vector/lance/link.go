//go:build cgo && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package lance

// The library is loaded from lib/ in the program's folder, or from the folder of an installation, ../lib/search-mcp on
// Linux and ../Frameworks on macOS.

/*
#cgo linux,amd64 LDFLAGS: -L${SRCDIR}/../../../../packaging/native/linux-amd64/lib -llancedb_go -Wl,-rpath,$ORIGIN/lib -Wl,-rpath,$ORIGIN/../lib/search-mcp
#cgo linux,arm64 LDFLAGS: -L${SRCDIR}/../../../../packaging/native/linux-arm64/lib -llancedb_go -Wl,-rpath,$ORIGIN/lib -Wl,-rpath,$ORIGIN/../lib/search-mcp
#cgo darwin,amd64 LDFLAGS: -L${SRCDIR}/../../../../packaging/native/darwin-amd64/lib -llancedb_go -Wl,-rpath,@executable_path/lib -Wl,-rpath,@executable_path/../Frameworks
#cgo darwin,arm64 LDFLAGS: -L${SRCDIR}/../../../../packaging/native/darwin-arm64/lib -llancedb_go -Wl,-rpath,@executable_path/lib -Wl,-rpath,@executable_path/../Frameworks
#cgo windows,amd64 LDFLAGS: -L${SRCDIR}/../../../../packaging/native/windows-amd64/lib -llancedb_go
*/
import "C"

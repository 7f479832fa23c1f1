//go:build cgo && !release && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)))

package lance

// Programs and tests built from a checkout load LanceDB from the checkout. A release (-tags release) must not contain
// paths of the machine that built it.

/*
#cgo linux,amd64 LDFLAGS: -Wl,-rpath,${SRCDIR}/../../../../packaging/native/linux-amd64/lib
#cgo linux,arm64 LDFLAGS: -Wl,-rpath,${SRCDIR}/../../../../packaging/native/linux-arm64/lib
#cgo darwin,amd64 LDFLAGS: -Wl,-rpath,${SRCDIR}/../../../../packaging/native/darwin-amd64/lib
#cgo darwin,arm64 LDFLAGS: -Wl,-rpath,${SRCDIR}/../../../../packaging/native/darwin-arm64/lib
*/
import "C"

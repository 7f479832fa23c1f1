//go:build !(cgo && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64)))

package vector

import "context"

// Open fails: see ErrNoNative.
func Open(context.Context, string, string) (Table, error) { return nil, ErrNoNative }

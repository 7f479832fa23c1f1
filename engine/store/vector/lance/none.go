//go:build !(cgo && ((linux && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64)))

package lance

import "searchmcp/engine/store/vector"

func New() (vector.Native, error) { return nil, vector.ErrNoNative }

//go:build !amd64

package static

import "searchmcp/engine/api"

func addFast(*api.Vector, string, float32) bool { return false }

package index_test

import (
	"sync"

	"searchmcp/engine/store/vector"
	"searchmcp/engine/store/vector/lance"
)

var tables = sync.OnceValue(func() *vector.DB {
	native, err := lance.New()
	if err != nil {
		return nil
	}
	return vector.NewDB(native)
})

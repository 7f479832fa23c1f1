package store

import (
	"sync"

	"searchmcp/engine/store/vector"
	"searchmcp/engine/store/vector/lance"
)

// testTables are LanceDB's in this process; nil, which has no vectors, where it cannot run.
var testTables = sync.OnceValue(func() *vector.DB {
	native, err := lance.New()
	if err != nil {
		return nil
	}
	return vector.NewDB(native)
})

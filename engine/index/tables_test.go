package index_test

import (
	"sync"

	"searchmcp/engine/store/vector"
	"searchmcp/engine/store/vector/lance"
)

// tables contains LanceDB's tables in this process, or nil if LanceDB cannot run.
var tables = sync.OnceValue(func() *vector.DB {
	native, err := lance.New()
	if err != nil {
		return nil
	}
	return vector.NewDB(native)
})

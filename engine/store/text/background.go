package text

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// callback is the name under which scorch finds background below.
const callback = "searchmcp"

func init() { scorch.RegistryAsyncErrorCallbacks[callback] = background }

// open finds the index of a folder for errors of scorch's goroutines, which know only the folder.
var open sync.Map

func watch(dir string, x *Index) { open.Store(dir, x) }
func unwatch(dir string)         { open.Delete(dir) }

// retryPersist is how long scorch's persister rests after a failure, before it tries the same again: it would spin
// while the disk is full.
const retryPersist = 200 * time.Millisecond

// background is called on scorch's own goroutines when they fail. A failed write is retried by scorch; after a panic
// the goroutine is gone, and with it every later batch.
func background(err error, dir string) {
	v, ok := open.Load(dir)
	if !ok {
		return
	}
	x := v.(*Index)
	var failure *scorch.ScorchError
	if errors.As(err, &failure) && failure.ErrType == scorch.ErrAsyncPanic {
		x.markDead(err)
		return
	}
	t := time.NewTimer(retryPersist)
	defer t.Stop()
	select {
	case <-t.C:
	case <-x.failed:
	}
}

// writeError gives a full disk its error number back, which scorch passes on as text only.
func writeError(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return err
	}
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT} {
		if strings.Contains(err.Error(), full.Error()) {
			return fmt.Errorf("%w: %w", full, err)
		}
	}
	return err
}

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

const callback = "searchmcp"

func init() { scorch.RegistryAsyncErrorCallbacks[callback] = background }

// open maps folders to indexes, because errors of scorch's goroutines contain only the folder.
var open sync.Map

func watch(dir string, x *Index) { open.Store(dir, x) }
func unwatch(dir string)         { open.Delete(dir) }

// retryPersist keeps scorch's persister from spinning while the disk is full.
const retryPersist = 200 * time.Millisecond

// background is called on scorch's own goroutines when they fail. After a panic all later batches would block.
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

// writeError restores the error number of a full disk from scorch's text.
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

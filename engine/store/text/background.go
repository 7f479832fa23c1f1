package text

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/zapx/v17"
)

const callback = "searchmcp"

func init() {
	scorch.RegistryAsyncErrorCallbacks[callback] = background
	zap.NewSegmentBufferNumResultsBump = 0 // don't preallocate 100 rows of average size, which may be 30 MB
}

// open maps folders to indexes, because errors of scorch's goroutines contain only the folder.
var open sync.Map

// retryPersist is the delay before scorch's persister tries again, so that it doesn't spin while the disk is full.
const retryPersist = 200 * time.Millisecond

// background is called on scorch's goroutines when they fail. After a panic, the index is unusable, because all later
// batches block.
func background(err error, dir string) {
	v, ok := open.Load(dir)
	if !ok {
		return
	}
	x := v.(*Index)
	var failure *scorch.ScorchError
	if errors.As(err, &failure) && failure.ErrType == scorch.ErrAsyncPanic {
		x.kill(err)
		return
	}
	t := time.NewTimer(retryPersist)
	defer t.Stop()
	select {
	case <-t.C:
	case <-x.alive.Done():
	}
}

// systemError restores the error number that scorch formatted at the end of its message.
func systemError(err error) error {
	for _, number := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE} {
		if !errors.Is(err, number) && strings.HasSuffix(err.Error(), ": "+number.Error()) {
			return fmt.Errorf("%w: %w", number, err)
		}
	}
	return err
}

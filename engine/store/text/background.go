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
	zap.NewSegmentBufferNumResultsBump = 0 // the default would allocate up to 30 MB for 100 rows
}

// open maps folders to indexes, because errors of scorch's goroutines contain only the folder.
var open sync.Map

// retryPersist is the delay after which scorch writes again when the disk is full.
const retryPersist = 200 * time.Millisecond

// background is called on scorch's goroutines when they fail. After a panic, all later batches block, so the index is
// unusable.
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

// systemError restores a system error, such as ENOSPC, from the text of err.
func systemError(err error) error {
	for _, number := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE} {
		if !errors.Is(err, number) && strings.HasSuffix(err.Error(), ": "+number.Error()) {
			return fmt.Errorf("%w: %w", number, err)
		}
	}
	return err
}

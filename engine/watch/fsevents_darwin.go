package watch

import (
	"fmt"
	"sync"
	"time"

	"searchmcp/engine/watch/fsevents"
)

// streamLatency is how long the system collects events: it saves wake-ups while many files change, and is not felt
// beside the debouncer's half a second.
const streamLatency = 100 * time.Millisecond

// library is loaded once for all roots.
var library = sync.OnceValues(fsevents.Load)

// openTree opens notifications of whole trees. fsnotify's kqueue takes an open file for everything that is watched.
func openTree() (source, error) {
	lib, err := library()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoStream, err)
	}
	return openStreams(fseventsOf{lib}, openNotify), nil
}

type fseventsOf struct{ lib *fsevents.Library }

func (f fseventsOf) stream(dir string, told func([]streamEvent)) (func(), error) {
	return f.lib.Watch(dir, streamLatency, func(paths []string, flags []uint32) {
		list := make([]streamEvent, len(paths))
		for i := range paths {
			list[i] = streamEvent{paths[i], streamFlags(flags[i])}
		}
		told(list)
	})
}

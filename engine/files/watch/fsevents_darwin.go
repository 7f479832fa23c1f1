//go:build cgo

package watch

import (
	"sync"
	"time"

	"github.com/fsnotify/fsevents"
)

// streamLatency is how long the system collects events: it saves wake-ups while many files change, and is not felt
// beside the debouncer's half a second.
const streamLatency = 100 * time.Millisecond

// openTree opens notifications of whole trees. fsnotify's kqueue takes an open file for everything that is watched.
func openTree() (source, error) { return openStreams(systemStreams{}, openNotify), nil }

// systemStreams is FSEvents.
type systemStreams struct{}

// stream has told called on a goroutine of its own, which ends with the stream.
func (systemStreams) stream(dir string, told func([]streamEvent)) (func(), error) {
	s := &fsevents.EventStream{
		Paths: []string{dir}, Latency: streamLatency, Events: make(chan []fsevents.Event, 1),
		// The first event after a pause at once, one when the folder itself or one above is moved, one for each file.
		Flags: fsevents.NoDefer | fsevents.WatchRoot | fsevents.FileEvents,
	}
	if err := s.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case list := <-s.Events:
				events := make([]streamEvent, len(list))
				for i, e := range list {
					events[i] = streamEvent{e.Path, streamFlags(e.Flags)}
				}
				told(events)
			case <-ended:
				select { // a call of the system's that was under way when the stream ended waits for room
				case <-s.Events:
				default:
				}
				return
			}
		}
	}()
	return sync.OnceFunc(func() {
		s.Stop()
		close(ended)
	}), nil
}

//go:build cgo

package watch

import (
	"sync"
	"time"

	"github.com/fsnotify/fsevents"
)

const streamLatency = 100 * time.Millisecond

// openTree uses FSEvents, because fsnotify's kqueue would need an open file for every watched file.
func openTree(q *queue) sources {
	return sources{tree: &stream{system: systemStreams{}, queue: q}, recursive: true, outside: openNotify(q)}
}

type systemStreams struct{}

func (systemStreams) stream(dir string, report func([]streamEvent)) (func(), error) {
	s := &fsevents.EventStream{
		Paths: []string{dir}, Latency: streamLatency, Events: make(chan []fsevents.Event, 1),
		// Report the first event after a pause immediately, report moves of the folder or a parent, and report changes per
		// file.
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
				report(events)
			case <-ended:
				select { // unblock a callback that was running when the stream ended
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

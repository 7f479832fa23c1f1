//go:build cgo

package watch

import (
	"sync"
	"time"

	"github.com/fsnotify/fsevents"
)

const streamLatency = 100 * time.Millisecond

// openTree uses FSEvents, because fsnotify opens every watched file on macOS.
func openTree(q *queue) sources {
	return sources{tree: &stream{system: systemStreams{}, queue: q}, recursive: true, outside: openNotify(q)}
}

type systemStreams struct{}

func (systemStreams) stream(dir string, report func([]streamEvent)) (func(), error) {
	s := &fsevents.EventStream{
		Paths: []string{dir}, Latency: streamLatency, Events: make(chan []fsevents.Event, 1),
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
				select { // in case a callback is sending
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

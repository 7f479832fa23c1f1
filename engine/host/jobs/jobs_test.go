package jobs

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"searchmcp/engine/api"
)

func TestHubMergesSnapshotsAndKeepsTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub()
		ctx, cancel := context.WithCancel(t.Context())
		events := h.Subscribe(ctx)
		for i := range 100 {
			h.Publish(api.Event{Kind: api.EventProgress, ProjectID: "a", Progress: &api.Progress{FilesDone: i}})
		}
		h.Publish(api.Event{Kind: api.EventRemoved, ProjectID: "a"})
		h.Publish(api.Event{Kind: api.EventProgress, ProjectID: "a", Progress: &api.Progress{FilesDone: 1000}})
		synctest.Wait()
		var got []api.Event
		for len(got) < 4 {
			e := <-events
			got = append(got, e)
			if e.Progress != nil && e.Progress.FilesDone == 1000 {
				break
			}
		}
		// The first event may have been received before the others arrive.
		n := len(got)
		if n < 3 || got[n-2].Kind != api.EventRemoved || got[n-3].Progress.FilesDone != 99 {
			t.Fatalf("got %d events, wrong order or stale snapshot: %+v", n, got)
		}
		cancel()
		synctest.Wait()
		if _, open := <-events; open {
			t.Fatal("the channel stays open after its context ended")
		}
	})
}

func TestHubSlowSubscriberNeverBlocksThePublisher(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub()
		ctx, cancel := context.WithCancel(t.Context())
		events := h.Subscribe(ctx)
		// If Publish blocked, the bubble would be deadlocked.
		for range maxQueue * 2 {
			h.Publish(api.Event{Kind: api.EventActivity})
		}
		h.Publish(api.Event{Kind: api.EventProblem})
		synctest.Wait()
		var got []api.EventKind
		for {
			synctest.Wait()
			select {
			case e := <-events:
				got = append(got, e.Kind)
				continue
			default:
			}
			break
		}
		// One event may have left the queue already.
		if n := len(got); n < maxQueue || n > maxQueue+1 || got[n-1] != api.EventProblem {
			t.Errorf("%d events, the last %v; want the newest %d", n, got[max(0, n-1):], maxQueue)
		}
		cancel()
		synctest.Wait()
		if _, open := <-events; open {
			t.Error("the channel stays open after its context ended")
		}
	})
}

func TestJobStops(t *testing.T) {
	damage := errors.New("the index is damaged")
	for want, stop := range map[error]func(*Job){
		ErrCancelled: (*Job).Cancel,
		damage:       func(j *Job) { j.Fail(damage); j.Cancel() },
	} {
		j := Start(t.Context(), NewHub(), "p", api.ActionCreate, func(ctx context.Context, _ *Job) (api.IndexStats, error) {
			<-ctx.Done()
			return api.IndexStats{FilesIndexed: 3}, ctx.Err()
		})
		stop(j)
		<-j.Done()
		stats, err := j.Result()
		if !errors.Is(err, want) || errors.Is(err, context.Canceled) != (want == ErrCancelled) || stats.FilesIndexed != 3 {
			t.Errorf("%v, %+v; want %v", err, stats, want)
		}
	}
}

func TestJobProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		events := h.Subscribe(ctx)
		release := make(chan struct{})
		j := Start(ctx, h, "p", api.ActionCreate, func(ctx context.Context, j *Job) (api.IndexStats, error) {
			<-release
			return api.IndexStats{}, nil
		})
		j.Update(func(p *api.Progress) { p.Phase, p.FilesTotal = api.PhaseIndexing, 100 })
		if e := <-events; e.Progress.Phase != api.PhaseIndexing || e.Progress.Left != 0 {
			t.Fatalf("change of phase: %+v", e.Progress)
		}
		<-time.After(4 * time.Second)
		j.Update(func(p *api.Progress) { p.FilesDone = 20 })
		e := <-events
		if e.Progress.FilesPerSec != 5 || e.Progress.Left != 0 {
			t.Fatalf("20 of 100 files in 4 s: %v files/s, %v left", e.Progress.FilesPerSec, e.Progress.Left)
		}
		j.Update(func(p *api.Progress) { p.FilesDone = 21 })
		synctest.Wait()
		select {
		case e := <-events:
			t.Fatalf("a second update within %v was published: %+v", progressEvery, e.Progress)
		default:
		}
		close(release)
		<-j.Done()
	})
}

func TestOnlySteadyWorkIsEstimated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		j := Start(t.Context(), NewHub(), "p", api.ActionCreate, func(context.Context, *Job) (api.IndexStats, error) {
			<-release
			return api.IndexStats{}, nil
		})
		last, least := 0.0, time.Hour
		work := func(seconds, perSecond int) time.Duration {
			for range seconds {
				time.Sleep(time.Second)
				j.Update(func(p *api.Progress) { p.ChunksDone += perSecond })
				p := j.Progress()
				if p.Percent() < last || p.Left > least {
					t.Errorf("%v after %v percent, %v after %v left", p.Percent(), last, p.Left, least)
				}
				if last = p.Percent(); p.Left > 0 {
					least = p.Left
				}
			}
			return j.Progress().Left
		}
		j.Update(func(p *api.Progress) { // vectors of an earlier job don't count
			p.Phase, p.ChunksDone, p.ChunksTotal = api.PhaseEmbedding, 50_000, 100_000
		})
		for _, x := range []struct {
			name               string
			seconds, perSecond int
			want               time.Duration
		}{
			{"first seconds", 10, 100, 0},
			{"steady", 15, 100, 8 * time.Minute},
			{"from the cache", 5, 2000, 0},
			{"steady again", 60, 100, 5 * time.Minute},
			{"slower", 15, 10, 0},
			{"the last seconds", 31, 1000, 10 * time.Second},
		} {
			if x.name == "the last seconds" {
				j.Update(func(p *api.Progress) { p.ChunksTotal = p.ChunksDone + 35_000 })
			}
			if got := work(x.seconds, x.perSecond); got != x.want {
				t.Errorf("%s: %v left, want %v", x.name, got, x.want)
			}
		}
		j.Update(func(p *api.Progress) {
			p.Waiting, p.Phase, p.ChunksTotal = "on battery", api.PhasePaused, 2*p.ChunksTotal
		})
		if got := j.Progress().Percent(); got < last {
			t.Errorf("paused: %v percent after %v", got, last)
		}
		if got := j.Progress().Left; got != 0 {
			t.Errorf("waiting: %v left", got)
		}
		close(release)
		<-j.Done()
	})
}

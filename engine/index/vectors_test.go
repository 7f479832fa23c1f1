package index_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"searchmcp/engine/api"
)

// The model is retried after Retry.
func TestModelFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := project(t, shop, func(f *fixture) {
			f.model.fail = errors.New("no library")
			f.opt.Retry = time.Minute
			f.opt.Idle = time.Hour
		}).run()
		f.build()
		synctest.Wait() // the loop is woken by start and build
		snap := f.Snapshot()
		if snap.State != api.StateDegraded || snap.Problem == nil || snap.Vectors != 0 || snap.Files != 5 {
			t.Errorf("%s, %v, %d vectors", snap.State, snap.Problem, snap.Vectors)
		}
		calls := f.model.times()
		last := calls[len(calls)-1]
		time.Sleep(time.Until(last.Add(59 * time.Second)))
		f.model.set(func(m *model) { m.fail = nil })
		synctest.Wait()
		wantEqual(t, len(f.model.times()), len(calls), "asked again after: times")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		again := f.model.times()
		if len(again) == len(calls) || again[len(calls)].Sub(last) != time.Minute {
			t.Errorf("not asked again after a minute: %v", again)
		}
		if snap := f.Snapshot(); snap.State != api.StateReady || snap.Vectors != snap.Chunks {
			t.Errorf("%s, %d vectors of %d", snap.State, snap.Vectors, snap.Chunks)
		}
		f.stop()
	})
}

// A throttled build ends without vectors, which are computed later.
func TestThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var busy atomic.Bool
		busy.Store(true)
		f := project(t, shop, func(f *fixture) {
			f.opt.Idle = time.Hour
			f.opt.Throttled = func() string {
				if busy.Load() {
					return "on battery"
				}
				return ""
			}
		}).run()
		f.build()
		snap := f.Snapshot()
		if snap.State != api.StateEmbedding || snap.Waiting != "on battery" || len(f.model.times()) != 0 {
			t.Errorf("%s, %q, %d calls of the model", snap.State, snap.Waiting, len(f.model.times()))
		}
		busy.Store(false)
		time.Sleep(11 * time.Second) // throttlePoll is ten seconds
		synctest.Wait()
		if snap := f.Snapshot(); snap.State != api.StateReady || snap.Waiting != "" || snap.Vectors != snap.Chunks {
			t.Errorf("%s, %q, %d vectors of %d", snap.State, snap.Waiting, snap.Vectors, snap.Chunks)
		}
		f.stop()
	})
}

func many(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("f%04d.go", i)] = fmt.Sprintf("package p%d\n", i)
	}
	return files
}

// The model does not wait for the table, nor the table for the model's last text.
func TestVectorsAreStoredMeanwhile(t *testing.T) {
	const files, batch = 1100, 1024
	f := project(t, many(files), nil)
	stored := make(chan struct{})
	f.model.each = func(ctx context.Context, i int) error {
		if i <= batch {
			return nil
		}
		select {
		case <-stored:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	f.run()
	j := f.start(api.ActionCreate)
	f.await(func(p api.Project) bool { return p.Vectors >= batch && p.State == api.StateEmbedding }) // the build ends too
	wantEqual(t, f.Snapshot().Vectors, batch, "vectors")
	close(stored)
	f.finish(j)
	if snap, calls := f.Snapshot(), f.model.times(); snap.Vectors != files || len(calls) != 1 {
		t.Errorf("%d vectors by %d calls of the model", snap.Vectors, len(calls))
	}
}

// A pause stops the model at once, and no finished vector is computed again.
func TestPauseWhileEmbedding(t *testing.T) {
	const files, made = 100, 70
	f := project(t, many(files), nil)
	reached := make(chan struct{})
	f.model.each = func(ctx context.Context, i int) error {
		if i < made {
			return nil
		}
		close(reached)
		<-ctx.Done()
		return context.Cause(ctx)
	}
	f.run()
	j := f.start(api.ActionCreate)
	<-reached
	wantEqual(t, f.cache.len(), 64, "len")
	f.model.set(func(m *model) { m.each = nil })
	f.Pause()
	f.Pause()
	f.await(func(p api.Project) bool { return p.Vectors >= made }) // stored by the interrupted loop
	if snap := f.Snapshot(); snap.State != api.StatePaused || snap.Vectors != made || f.cache.len() != made {
		t.Errorf("%s, %d vectors, %d in the cache; want %d", snap.State, snap.Vectors, f.cache.len(), made)
	}
	f.Resume()
	f.finish(j)
	if snap := f.Snapshot(); snap.State != api.StateReady || snap.Vectors != files || f.model.texts != files {
		t.Errorf("%s, %d vectors, %d texts embedded; want %d", snap.State, snap.Vectors, f.model.texts, files)
	}
}

// Content under another name has an equal input.
func TestCachedVectors(t *testing.T) {
	f := project(t, shop, nil).run()
	f.build()
	texts := f.model.texts
	j := f.start(api.ActionReindex)
	<-j.Done()
	if _, err := j.Result(); err != nil || f.model.texts != texts {
		t.Errorf("a rebuild of the same files embedded %d texts, %v", f.model.texts-texts, err)
	}
}

func TestRepeatedLines(t *testing.T) {
	text := strings.Repeat("the same line again and again and again\n", 4000)
	f := project(t, map[string]string{"log.unknown": text}, nil).run()
	f.build()
	if snap := f.Snapshot(); snap.Chunks < 20 || snap.Vectors != snap.Chunks || f.model.texts > 2 {
		t.Errorf("%d chunks, %d vectors of %d texts", snap.Chunks, snap.Vectors, f.model.texts)
	}
}

func TestMemoryBackoff(t *testing.T) {
	const files = 600
	f := project(t, many(files), nil)
	var sizes []int
	small := 300
	f.opt.Embedder = sized{f.model, func(n int) error {
		sizes = append(sizes, n)
		if n > small {
			return fmt.Errorf("allocate: %w", syscall.ENOMEM)
		}
		return nil
	}}
	f.run()
	f.build()
	if snap := f.Snapshot(); snap.Vectors != files || snap.State != api.StateReady {
		t.Errorf("%s, %d vectors", snap.State, snap.Vectors)
	}
	if len(sizes) < 3 || sizes[0] != files || sizes[1] != 512 || sizes[2] != 256 {
		t.Errorf("batches of %v", sizes)
	}
}

type sized struct {
	*model
	onTexts func(n int) error
}

func (s sized) Texts(ctx context.Context, texts []string, each func(int, api.Vector)) error {
	if err := s.onTexts(len(texts)); err != nil {
		return err
	}
	return s.model.Texts(ctx, texts, each)
}

func TestLightWhileEmbedding(t *testing.T) {
	var light atomic.Bool
	const unit = 32 // the number of texts between two checks of the setting
	files := many(2 * unit)
	f := project(t, files, func(f *fixture) { f.opt.Light = light.Load })
	f.model.each = func(context.Context, int) error {
		light.Store(true)
		return nil
	}
	f.run()
	j := f.start(api.ActionCreate)
	f.finish(j)
	f.Settle(t.Context())
	wantEqual(t, f.Snapshot().State, api.StateReady, "state")
	wantEqual(t, f.model.texts, unit, "texts")
}

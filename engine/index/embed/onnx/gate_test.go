package onnx

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// texts starts n texts and returns a function that counts the admitted ones while all other goroutines are blocked.
func texts(t *testing.T, g *gate, n int) (admitted func() int) {
	t.Helper()
	var in atomic.Int64
	for range n {
		go func() {
			if err := g.enter(context.Background()); err != nil {
				t.Error(err)
			}
			in.Add(1)
		}()
	}
	return func() int { synctest.Wait(); return int(in.Load()) }
}

func TestQueryOvertakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2)
		admitted := texts(t, g, 3)
		if n := admitted(); n != 2 {
			t.Fatalf("%d texts on 2 threads", n)
		}
		done := g.query()
		g.leave()
		if n := admitted(); n != 2 {
			t.Error("a text started during a query")
		}
		done()
		if n := admitted(); n != 2 {
			t.Error("a text started while the app finished the search")
		}
		time.Sleep(afterQuery)
		if n := admitted(); n != 3 {
			t.Error("no text started after the search")
		}
	})
}

func TestEndlessQueries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2)
		texts := 0
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			defer close(done)
			for g.enter(ctx) == nil {
				texts++
				time.Sleep(time.Millisecond)
				g.leave()
			}
		}()
		for range 100 {
			end := g.query()
			time.Sleep(afterQuery / 2)
			end()
		}
		stop()
		<-done
		if most := 1 + int(100*afterQuery/2/maxPause); texts < most/2 || texts > most+1 {
			t.Errorf("%d texts in %v of queries, want one in %v", texts, 100*afterQuery/2, maxPause)
		}
	})
}

func TestSetThreads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		admitted := texts(t, g, 3)
		g.setThreads(2)
		if n := admitted(); n != 2 {
			t.Errorf("%d texts after a raise to 2", n)
		}
		g.setThreads(1)
		g.leave()
		if n := admitted(); n != 2 {
			t.Error("a text started above the new limit")
		}
		g.leave()
		if n := admitted(); n != 3 {
			t.Error("the last text waits")
		}
	})
}

func TestEnterGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		admitted := texts(t, g, 1)
		admitted()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := g.enter(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
}

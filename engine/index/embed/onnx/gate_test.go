package onnx

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The result reports whether enter has returned while all other goroutines are blocked.
func entered(t *testing.T, g *gate, l lane) (admitted func() bool) {
	t.Helper()
	var in atomic.Bool // a timer may set it
	go func() {
		if err := g.enter(context.Background(), l); err != nil {
			t.Error(err)
		}
		in.Store(true)
	}()
	return func() bool { synctest.Wait(); return in.Load() }
}

func TestQueryOvertakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2)
		a, b, c := entered(t, g, laneText), entered(t, g, laneText), entered(t, g, laneText)
		if n := count(a, b, c); n != 2 {
			t.Fatalf("%d texts on 2 threads", n)
		}
		q := entered(t, g, laneQuery)
		if !q() {
			t.Fatal("a query waits behind texts")
		}
		g.leave(laneText)
		if n := count(a, b, c); n != 2 {
			t.Error("a text took the core that a query runs on")
		}
		g.leave(laneQuery)
		if n := count(a, b, c); n != 2 {
			t.Error("a text took the core that the rest of the search runs on")
		}
		time.Sleep(afterQuery)
		if n := count(a, b, c); n != 3 {
			t.Error("the core that the query left stays empty")
		}
	})
}

func TestTextsGoOnBesideQueries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		q, q2 := entered(t, g, laneQuery), entered(t, g, laneQuery)
		if n := count(q, q2); n != 1 {
			t.Fatalf("%d queries on 1 thread", n)
		}
		if a := entered(t, g, laneText); !a() {
			t.Error("queries starve texts")
		}
		g.leave(laneQuery)
		if n := count(q, q2); n != 2 {
			t.Error("the second query waits on")
		}
	})
}

func TestQueriesWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2)
		texts := 0
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			defer close(done)
			for g.enter(ctx, laneText) == nil {
				texts++
				time.Sleep(time.Millisecond)
				g.leave(laneText)
			}
		}()
		for range 100 {
			if err := g.enter(context.Background(), laneQuery); err != nil {
				t.Fatal(err)
			}
			time.Sleep(afterQuery / 2)
			g.leave(laneQuery)
		}
		stop()
		<-done
		if most := 1 + int(100*afterQuery/2/mostWait); texts < most/2 || texts > most+1 {
			t.Errorf("%d texts in %v of queries, one in %v is meant", texts, 100*afterQuery/2, mostWait)
		}
	})
}

func TestSetThreads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		a, b, c := entered(t, g, laneText), entered(t, g, laneText), entered(t, g, laneText)
		if n := count(a, b, c); n != 1 {
			t.Fatalf("%d texts on 1 thread", n)
		}
		g.setThreads(2)
		if n := count(a, b, c); n != 2 {
			t.Errorf("%d texts after a raise to 2", n)
		}
		g.setThreads(0)
		g.leave(laneText)
		if n := count(a, b, c); n != 2 {
			t.Error("a text was let in above the new limit")
		}
		g.leave(laneText)
		if n := count(a, b, c); n != 3 {
			t.Error("the last text waits on")
		}
	})
}

func TestEnterGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1)
		if err := g.enter(context.Background(), laneText); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := g.enter(ctx, laneText); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		g.leave(laneText)
		if a := entered(t, g, laneText); !a() {
			t.Error("who gave up still holds a place")
		}
	})
}

func count(in ...func() bool) (n int) {
	for _, f := range in {
		if f() {
			n++
		}
	}
	return n
}

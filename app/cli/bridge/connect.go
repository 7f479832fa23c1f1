package bridge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"searchmcp/app/socket/jsonrpc"
	"searchmcp/engine/api"
)

var (
	errRestarted = api.New(api.ConnectionLost,
		"Search MCP restarted while this call was running. Please call it again.", "the app restarted", nil)
	errQuitCall = api.New(api.ConnectionLost,
		"Search MCP was quit while this call was running. Ask the user to start Search MCP again.", "the app was quit", nil)
	errHung = api.New(api.NotResponding, "Search MCP does not respond. Ask the user to run \"search-mcp stop\" in a "+
		"terminal and to start Search MCP again; the next call will work then.", "no answer in time", nil)
	errQuit = api.New(api.NotRunning, "The user has quit Search MCP. Ask the user to start Search MCP again; nothing "+
		"else is needed, the next call will work then.", "the user has quit the app", nil)
	errEnded = api.New(api.ConnectionLost, "The editor has closed the connection to Search MCP.", "stdin ended", nil)
)

const (
	// steadyTime prevents a loop of crashes. If the app exits sooner, the bridge waits for a request before it starts
	// the app again.
	steadyTime = 10 * time.Second
	// redial is the pause before connecting again, after the app has closed the connection during the handshake.
	redial    = 50 * time.Millisecond
	firstLook = 250 * time.Millisecond // first pause between two checks for a running app
	lastLook  = 5 * time.Second        // maximum pause between two checks
)

var errNoAnswer = fmt.Errorf("it did not answer within %d seconds", int(connectTime.Seconds()))

// connect keeps the bridge connected to the app until ctx ends.
func (b *Bridge) connect(ctx context.Context) {
	look := firstLook
	for start := true; ctx.Err() == nil; {
		l, err := b.attempt(ctx, start)
		if err == nil {
			look = firstLook
			start = b.serve(ctx, l)
			continue
		}
		if ctx.Err() != nil {
			return
		}
		b.mu.Lock()
		quit := b.quit
		b.mu.Unlock()
		if start || quit || errors.Is(err, errNoAnswer) {
			select {
			case <-b.wake:
			default:
			}
			b.failAll(b.absent(err, quit))
		}
		start = false
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
			b.mu.Lock()
			start = len(b.waiting) > 0
			b.mu.Unlock()
		case <-time.After(look):
			look = min(2*look, lastLook)
		}
	}
}

// attempt connects to the app and restores the session. If start is set, attempt starts an app that does not run.
func (b *Bridge) attempt(ctx context.Context, start bool) (*link, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, connectTime, errNoAnswer)
	defer cancel()
	quit := b.o.Quit()
	b.mu.Lock()
	b.quit = b.quit || quit
	start = start && !b.quit
	b.mu.Unlock()
	for {
		conn, err := b.o.Dial(ctx, start)
		if err != nil {
			return nil, err
		}
		l := &link{
			b: b, conn: conn, out: newQueue(), since: time.Now(), asked: make(chan struct{}, 1),
			done: make(chan struct{}), own: jsonrpc.Calls{Prefix: ownID},
		}
		l.ends.Go(l.write)
		l.ends.Go(l.read)
		if err = l.greet(ctx); err == nil {
			b.adopt(l)
			return l, nil
		}
		l.close()
		l.ends.Wait()
		if !errors.Is(err, errHungUp) {
			return nil, err
		}
		// The app may be shutting down. Wait before connecting again.
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(redial):
		}
	}
}

// adopt makes l the current link and sends the unanswered and the waiting requests.
func (b *Bridge) adopt(l *link) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.link, b.quit = l, false
	if b.replay.answered && b.replay.initialized != nil {
		if !l.inSession {
			l.out.push(b.replay.initialized)
		}
		b.reply(notification(methodToolsChanged, nil))
	}
	again := slices.SortedFunc(maps.Values(b.calls), func(x, y *call) int { return cmp.Compare(x.order, y.order) })
	for _, c := range append(again, b.waiting...) {
		b.dispatch(c)
		if c.Method == methodInitialize && b.replay.initialized != nil {
			l.out.push(b.replay.initialized)
		}
	}
	b.waiting = nil
}

// serve waits until l is closed, and reports whether to start another app. Open requests that can't be repeated fail.
func (b *Bridge) serve(ctx context.Context, l *link) (restart bool) {
	l.watch(ctx)
	if ctx.Err() != nil {
		l.finish()
	}
	l.close()
	l.ends.Wait()

	b.mu.Lock()
	defer b.mu.Unlock()
	b.link = nil
	b.quit = l.quitting != nil && l.quitting.ByUser
	why := errRestarted
	switch {
	case b.quit:
		why = errQuitCall
	case l.hung:
		why = errHung
	}
	for id, c := range b.calls {
		switch {
		case c.Method == methodListen && c.acked:
		case repeatable[c.Method] && !c.repeated && !b.quit && !l.hung && ctx.Err() == nil:
			c.repeated, restart = true, true
		case ctx.Err() == nil:
			b.reply(failure(c.ID, why))
			delete(b.calls, id)
		}
	}
	for id := range b.asks {
		b.reply(notification(methodCancelled,
			map[string]any{"requestId": json.RawMessage(id), "reason": "Search MCP restarted"}))
		delete(b.asks, id)
	}
	b.settled()
	goes := l.quitting != nil && !l.quitting.ByUser
	return !b.quit && (restart || goes || len(b.waiting) > 0 || time.Since(l.since) >= steadyTime)
}

func (b *Bridge) absent(err error, quit bool) *api.Error {
	if quit {
		return errQuit
	}
	b.o.Log.Warn("no app", "err", err)
	if errors.Is(err, errNoAnswer) {
		return errHung
	}
	return api.New(api.NotRunning, fmt.Sprintf("Search MCP could not be reached: %v. Ask the user to start Search MCP or "+
		"to install it again; the next call will then work.", err), err.Error(), err)
}

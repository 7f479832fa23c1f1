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
)

// What the editor's assistant reads when the app is not there.
const (
	textRestarted = "Search MCP restarted while this call was running. Please call it again."
	textQuitCall  = "Search MCP was quit while this call was running. Ask the user to start Search MCP again."
	textHung      = "Search MCP does not respond. Ask the user to run \"search-mcp stop\" in a terminal and to start " +
		"Search MCP again; the next call will work then."
	textQuit = "The user has quit Search MCP. Ask the user to start Search MCP again; nothing else is needed, " +
		"the next call will work then."
)

const (
	// A request that the app has not answered after pingPause is followed by a ping, which has to be answered within
	// pingTime: together the ten seconds of connectTime. Calls may take longer, the answer to a ping does not.
	pingPause = 2 * time.Second
	pingTime  = 8 * time.Second
	// steadyTime is how long an app must have served before it is started again without a request that needs it: one that
	// dies as soon as it has come must not be started for ever.
	steadyTime = 10 * time.Second
	// redial is the pause after an app has hung up during the handshake.
	redial = 50 * time.Millisecond
	// firstLook and lastLook are the pauses between two looks whether somebody else has started the app.
	firstLook = 250 * time.Millisecond
	lastLook  = 5 * time.Second
)

// errNoAnswer: there is an app, and it does not answer.
var errNoAnswer = fmt.Errorf("it did not answer within %d seconds", int(connectTime.Seconds()))

// connect keeps the bridge connected until ctx ends. It is the only one that makes and ends links.
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
		if start || quit {
			// A look that finds nothing concerns nobody; a request in the meantime has woken us and gets the next try.
			select {
			case <-b.wake:
			default:
			}
			b.failAll(b.absent(err))
		}
		start = false
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
			start = b.wanted()
		case <-time.After(look):
			look = min(2*look, lastLook)
		}
	}
}

// wanted reports whether a request waits.
func (b *Bridge) wanted() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting) > 0
}

// attempt makes a connection and puts the session on it.
func (b *Bridge) attempt(ctx context.Context, start bool) (*link, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, connectTime, errNoAnswer)
	defer cancel()
	quit := b.o.Quit != nil && b.o.Quit() // a bridge that was not connected then has not heard of it
	b.mu.Lock()
	b.quit = b.quit || quit
	dial := b.o.Start
	if b.quit || !start {
		dial = b.o.Attach
	}
	b.mu.Unlock()
	for {
		conn, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		b.greets(true)
		l := b.newLink(conn)
		l.ends.Go(l.write)
		l.ends.Go(l.read)
		if err = l.greet(ctx); err == nil {
			b.adopt(l)
			return l, nil
		}
		b.greets(false)
		l.close()
		l.ends.Wait()
		if !errors.Is(err, errHungUp) {
			return nil, err
		}
		// An app that is going may still have taken the call; the next one is reached after a moment.
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(redial):
		}
	}
}

func (b *Bridge) greets(now bool) {
	b.mu.Lock()
	b.greeting = now
	b.mu.Unlock()
}

// adopt makes l the link: first goes what an earlier app has not answered, then what has waited.
func (b *Bridge) adopt(l *link) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.link, b.quit, b.greeting = l, false, false
	b.links++
	if b.replay.answered && b.replay.initialized != nil && !l.told {
		l.out.push(b.replay.initialized) // it came during the greeting; a full queue will refuse the calls, too
	}
	again := slices.SortedFunc(maps.Values(b.calls), func(x, y *call) int { return cmp.Compare(x.order, y.order) })
	for _, c := range append(again, b.waiting...) {
		b.dispatch(c)
		if c.Method == methodInitialize && b.replay.initialized != nil {
			l.out.push(b.replay.initialized) // it came while there was nobody to tell; a full queue has refused c too
		}
	}
	b.waiting = nil
	if b.links > 1 && b.replay.answered && b.replay.initialized != nil {
		b.reply(notification(methodToolsChanged, nil)) // the new app may be another version
	}
}

// serve waits for the end of a link and cleans up after it. It reports whether the app should be started again.
func (b *Bridge) serve(ctx context.Context, l *link) (again bool) {
	l.watch(ctx)
	if ctx.Err() != nil {
		l.finish()
	}
	l.close()
	l.ends.Wait()

	b.mu.Lock()
	defer b.mu.Unlock()
	b.link = nil
	b.quit = l.quitting != nil && l.quitting.ByPerson
	text := textRestarted
	switch {
	case b.quit:
		text = textQuitCall
	case l.hung:
		text = textHung
	}
	for id, c := range b.calls {
		switch {
		case c.Method == methodListen && c.acked:
		case repeatable[c.Method] && !c.repeated && !b.quit && !l.hung && ctx.Err() == nil:
			c.repeated, again = true, true
		case ctx.Err() == nil:
			b.reply(errorFor(c.ID, jsonrpc.ServerError, text))
			delete(b.calls, id)
		}
	}
	for id := range b.asks {
		// The question belongs to an app that is gone: the editor may close its dialog.
		b.reply(notification(methodCancelled,
			map[string]any{"requestId": json.RawMessage(id), "reason": "Search MCP restarted"}))
		delete(b.asks, id)
	}
	b.settled()
	goes := l.quitting != nil && !l.quitting.ByPerson
	return !b.quit && (again || goes || len(b.waiting) > 0 || time.Since(l.since) >= steadyTime)
}

// absent says to the assistant why there is no app.
func (b *Bridge) absent(err error) string {
	b.mu.Lock()
	quit := b.quit
	b.mu.Unlock()
	if quit {
		return textQuit
	}
	b.log.Warn("no app", "err", err)
	if errors.Is(err, errNoAnswer) {
		return textHung
	}
	return fmt.Sprintf("Search MCP could not be reached: %v. Ask the user to start Search MCP or to install it again; "+
		"the next call will then work.", err)
}

package bridge

import (
	"encoding/json"
	"slices"
	"time"

	"searchmcp/app/socket/jsonrpc"
)

// patience is how long an editor's first request waits for an app that is starting; then it is answered from memory.
// An app that has to be started listens after some 150 ms, on a busy machine or past a virus scanner later, and editors
// show a server as slow, or take its tools up late, from about 300 ms on.
const patience = 200 * time.Millisecond

// Memory keeps the app's answers to an editor's first request from one bridge to the next. What it says of a request
// depends on nothing but the versions of protocol and app.
type Memory interface {
	// Recall returns the result that was last remembered for a key, nil for none.
	Recall(key string) json.RawMessage
	// Remember keeps a result.
	Remember(key string, result json.RawMessage)
}

// memoryKey names the answer to a request that may come from memory; "" for all others.
func memoryKey(m *jsonrpc.Message) string {
	var p struct {
		ProtocolVersion string                     `json:"protocolVersion"`
		Meta            map[string]json.RawMessage `json:"_meta"`
	}
	if (m.Method != methodInitialize && m.Method != methodDiscover) || json.Unmarshal(m.Params, &p) != nil {
		return ""
	}
	if p.ProtocolVersion == "" {
		if json.Unmarshal(p.Meta[metaVersion], &p.ProtocolVersion) != nil {
			return ""
		}
	}
	return m.Method + " " + p.ProtocolVersion
}

// waitBriefly has a request answered from memory if no app has come by then. The caller holds mu.
func (b *Bridge) waitBriefly(c *call) {
	if b.o.Memory == nil || memoryKey(&c.Message) == "" {
		return
	}
	if b.impatience != nil {
		b.impatience.Stop()
	}
	b.impatience = time.AfterFunc(patience, func() { b.answerEarly(c) })
}

// answerEarly answers a request that still waits. The session is then put on the app when it comes, as on one that has
// come again. While an app is being greeted it answers itself, at once.
func (b *Bridge) answerEarly(c *call) {
	result := b.o.Memory.Recall(memoryKey(&c.Message)) // reads a file, hence before the lock
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.Index(b.waiting, c)
	if at < 0 || b.greeting || result == nil {
		return
	}
	b.waiting = slices.Delete(b.waiting, at, at+1)
	if c.Method == methodInitialize {
		b.replay.answered = true
	}
	b.reply(encode(jsonrpc.Result(c.ID, result)))
	b.settled()
}

// memorize keeps the app's answer for the next bridge.
func (b *Bridge) memorize(c *call, result json.RawMessage) {
	if b.o.Memory == nil || c == nil || memoryKey(&c.Message) == "" || result == nil {
		return
	}
	b.o.Memory.Remember(memoryKey(&c.Message), result)
}

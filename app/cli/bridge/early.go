package bridge

import (
	"encoding/json"
	"slices"
	"time"

	"searchmcp/app/socket/jsonrpc"
)

// patience is how long the first request waits for a starting app, which listens after about 150 ms. From about 300 ms
// on, editors show a server as slow.
const patience = 200 * time.Millisecond

// Memory caches the app's answers to editors' first requests, which depend only on the versions of protocol and app.
type Memory interface {
	Recall(key string) json.RawMessage
	Remember(key string, result json.RawMessage)
}

// memoryKey returns the cache key of a request that may be answered from memory, or "".
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

// waitBriefly answers c from memory if no app has connected within patience. The caller holds mu.
func (b *Bridge) waitBriefly(c *call) {
	if b.o.Memory == nil || memoryKey(&c.Message) == "" {
		return
	}
	if b.impatience != nil {
		b.impatience.Stop()
	}
	b.impatience = time.AfterFunc(patience, func() { b.answerEarly(c) })
}

// answerEarly answers a waiting request from memory, unless an app is greeting and answers at once. The session is
// replayed when an app connects.
func (b *Bridge) answerEarly(c *call) {
	result := b.o.Memory.Recall(memoryKey(&c.Message)) // before locking, because it reads a file
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

func (b *Bridge) memorize(c *call, result json.RawMessage) {
	if b.o.Memory == nil || c == nil || result == nil {
		return
	}
	if key := memoryKey(&c.Message); key != "" {
		b.o.Memory.Remember(key, result)
	}
}

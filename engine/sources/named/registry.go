package named

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"searchmcp/engine/api"
)

const Default = "default"

const Memory = "memory"

// DefaultLimit is the default maximum memory of all indexes together, in bytes. It is enough for a hundred thousand
// notes.
const DefaultLimit = 64 << 20

// Error is an error whose text the tool returns unchanged.
type Error = api.SourceError

const ErrContent = Error("Content must be a non-empty string")

var validName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Registry is the app's set of named indexes. It is safe for concurrent use.
type Registry struct {
	mu      sync.RWMutex
	indexes map[string]*index
	limit   int64
	used    int64
}

// New returns a registry with the default index. limit is in bytes; 0 means DefaultLimit.
func New(limit int64) *Registry {
	r := &Registry{indexes: map[string]*index{Default: newIndex(DefaultTokenizer)}}
	r.SetLimit(limit)
	return r
}

func (r *Registry) SetLimit(limit int64) {
	if limit <= 0 {
		limit = DefaultLimit
	}
	r.mu.Lock()
	r.limit = limit
	r.mu.Unlock()
}

func (r *Registry) Create(name, backend string, t Tokenizer) error {
	if backend != Memory {
		return Error("Unknown backend: " + backend)
	}
	if !validName.MatchString(name) {
		return Error("Invalid index name: " + name + " (1 to 64 letters, digits, hyphens and underscores)")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.indexes[name] != nil {
		return Error("Index already exists: " + name)
	}
	if r.used+indexBytes > r.limit {
		return r.full()
	}
	r.used += indexBytes
	r.indexes[name] = newIndex(t)
	return nil
}

// Drop removes the index with the given name, or empties it if it is the default index.
func (r *Registry) Drop(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	ix := r.indexes[name]
	if ix == nil {
		return notFound(name)
	}
	r.used -= ix.bytes
	if name == Default {
		r.indexes[name] = newIndex(DefaultTokenizer)
		return nil
	}
	r.used -= indexBytes
	delete(r.indexes, name)
	return nil
}

func (r *Registry) NamedIndexes() api.NamedIndexes {
	r.mu.RLock()
	defer r.mu.RUnlock()
	out := api.NamedIndexes{Indexes: make([]api.NamedSummary, 0, len(r.indexes)), Bytes: r.used, Limit: r.limit}
	for name, ix := range r.indexes {
		out.Indexes = append(out.Indexes, api.NamedSummary{Name: name, Backend: Memory, Documents: len(ix.docs),
			Bytes: ix.bytes})
	}
	slices.SortFunc(out.Indexes, func(a, b api.NamedSummary) int { return strings.Compare(a.Name, b.Name) })
	return out
}

const maxID = 4096

// NamedAdd adds a document to an index; the name "" means Default. tokens is the number of terms in content.
func (r *Registry) NamedAdd(name, id, content string, metadata json.RawMessage) (replaced bool, tokens int,
	err error) {
	switch {
	case strings.TrimSpace(content) == "":
		return false, 0, ErrContent
	case strings.TrimSpace(id) == "":
		return false, 0, Error("Document id must be a non-empty string")
	case len(id) > maxID:
		return false, 0, Error(fmt.Sprintf("Document id must have at most %d bytes", maxID))
	}
	name = cmp.Or(name, Default)
	r.mu.Lock()
	defer r.mu.Unlock()
	ix := r.indexes[name]
	if ix == nil {
		return false, 0, notFound(name)
	}
	d, tokens := ix.read(id, content, metadata)
	grows := ix.growth(d)
	if grows > 0 && r.used+grows > r.limit {
		return false, 0, r.full()
	}
	_, replaced = ix.docs[id]
	r.used += grows
	ix.put(d)
	return replaced, tokens, nil
}

func (r *Registry) NamedSearch(name, query string, k int) (api.NamedAnswer, error) {
	name = cmp.Or(name, Default)
	r.mu.RLock()
	defer r.mu.RUnlock()
	ix := r.indexes[name]
	if ix == nil {
		return api.NamedAnswer{}, notFound(name)
	}
	return ix.search(query, k), nil
}

func notFound(name string) Error { return Error("Index not found: " + name) }

func (r *Registry) full() Error {
	return Error(fmt.Sprintf("Index memory limit reached: %d of %d MB are in use. Remove an index "+
		"(search-mcp named remove NAME) or raise the limit in the settings (namedIndexMB).", r.used>>20, r.limit>>20))
}

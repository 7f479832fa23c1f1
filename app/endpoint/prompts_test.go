package endpoint

import (
	"strings"
	"testing"

	"searchmcp/app/socket/wire"
)

// TestPrompts checks that prompts are served before the engine has started, in both versions of the protocol.
func TestPrompts(t *testing.T) {
	p := connected(t, nil, wire.Hello{}, nil)
	list, _ := p.call("prompts/list", map[string]any{})
	for _, part := range []string{`"name":"explain_project","title":"`, `"name":"find_where","title":"`, `"arguments":[{"name":"what"`} {
		wantPart(t, string(list), part, "no %s in %s", part, list)
	}
	find := map[string]any{"name": "find_where", "arguments": map[string]any{"what": "the cache"}}
	for _, meta := range []map[string]any{{}, modern(nil)} {
		find["_meta"] = meta
		if got, e := p.call("prompts/get", find); e != "" || !strings.Contains(string(got), `"role":"user"`) ||
			!strings.Contains(string(got), `\"the cache\"`) {
			t.Errorf("%s %s", got, e)
		}
	}
	wantPrefix(t, failure(p.call("prompts/get", map[string]any{"name": "nonsense"})), "-32602 ", "unknown prompt")
}

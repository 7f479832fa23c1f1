package highlight

import (
	"strings"
	"testing"
)

func TestIn(t *testing.T) {
	for _, x := range []struct{ question, line, want string }{
		{"where are expired sessions removed", "func expireSessions(s *Session) { // removes them",
			"func [expireSessions](s *[Session]) { // [removes] them"},
		{"HTTP server", "type HTTPServer struct", "type [HTTPServer] struct"},
		{"parse_config", "ParseConfig(path)", "[ParseConfig](path)"},
		{"how is the cat", "the cat is how", "the [cat] is how"},
		{"what is it", "what is it for", "[what] [is] [it] for"}, // only stop words
		{"get the value of a node", "getValue(get_the_value, get)", "[getValue]([get]_[the]_[value], get)"},
		{"größe", "die Größe", "die [Größe]"},
		{"token", "tokenizer of a totem", "[tokenizer] of a totem"},
		{"", "anything", "anything"},
	} {
		if got := bracketed(x.line, Question(x.question)); got != x.want {
			t.Errorf("%q: got %q, want %q", x.question, got, x.want)
		}
	}
	if got, want := bracketed("func loadCfg(config)", Question("configuration", "config", "cfg")),
		"func load[Cfg]([config])"; got != want {
		t.Errorf("other forms: got %q, want %q", got, want)
	}
	if got, want := bracketed("rotate rotated pre_rotate(x.rotate)", Name("rotate")),
		"[rotate] rotated pre_rotate(x.[rotate])"; got != want {
		t.Errorf("a name: got %q, want %q", got, want)
	}
}

func bracketed(line string, words Terms) string {
	var b strings.Builder
	at := 0
	for _, m := range words.In(line) {
		b.WriteString(line[at:m[0]] + "[" + line[m[0]:m[1]] + "]")
		at = m[1]
	}
	return b.String() + line[at:]
}

package chunk

import (
	"fmt"
	"sync"

	"searchmcp/engine/lang"
	"searchmcp/engine/lang/tree"
)

// grammar contains a language's rules, indexed by node type.
type grammar struct {
	*lang.Language
	names   *tree.Names
	symbols []symbolEntry
}

type symbolEntry struct {
	rule  *lang.Rule
	named bool
	leaf  bool // text without structure, such as a string
}

var grammars sync.Map

func grammarOf(language string) (*grammar, error) {
	if known, ok := grammars.Load(language); ok {
		return known.(*grammar), nil
	}
	l, names := lang.Of(language), tree.NamesOf(language)
	if l.Rules == nil {
		return nil, fmt.Errorf("parse: no grammar for %q", language)
	}
	g := &grammar{Language: l, names: names, symbols: make([]symbolEntry, len(names.Types))}
	for i, t := range names.Types {
		if t.Named {
			g.symbols[i] = symbolEntry{rule: l.Rules[t.Name], named: true, leaf: lang.Leaf(t.Name)}
		}
	}
	grammars.Store(language, g)
	return g, nil
}

// A file is parsed again, after the changes in lang.Language.Retry, if leastUnread bytes or one in unreadPart could not
// be parsed.
const (
	leastUnread = 1 << 10
	unreadPart  = 64
)

// parse returns the syntax tree of text, which the caller closes. If much of text can't be parsed, parse tries the
// changes in g.Retry and returns the best tree.
func (g *grammar) parse(parser tree.Parse, text string) (*tree.Tree, error) {
	for _, prepare := range g.Prepare {
		text = prepare(text)
	}
	best, err := parser(g.Name, text)
	if err != nil {
		return nil, err
	}
	for _, change := range g.Retry {
		if !best.Root().HasError() {
			break
		}
		unread := unreadBytes(best.Root(), 0)
		if unread < leastUnread && unread*unreadPart < len(text) {
			break
		}
		changed, lost := change(text)
		if changed == text || lost >= unread { // the change cannot improve the tree
			continue
		}
		other, err := parser(g.Name, changed)
		if err != nil {
			continue
		}
		if unreadBytes(other.Root(), 0)+lost < unread {
			best, other = other, best
		}
		other.Close()
	}
	return best, nil
}

func unreadBytes(n tree.Node, depth int) int {
	if n.IsError() {
		return int(n.EndByte() - n.StartByte())
	}
	if !n.HasError() || depth > lang.MaxDepth {
		return 0
	}
	sum := 0
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		sum += unreadBytes(c, depth+1)
	}
	return sum
}

package find

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/lang"
	"searchmcp/engine/store"
)

// slowFiles is a project with files that are slow to read. According to the index, each file contains every name.
type slowFiles struct {
	rows    []store.Row
	defined int // number of rows, besides the first, that define every name
	texts   map[string]string
	each    time.Duration
}

func (p *slowFiles) add(path, text string) {
	if p.texts == nil {
		p.texts = map[string]string{}
	}
	p.rows, p.texts[path] = append(p.rows, store.Row{Path: path, Language: lang.OfFile(path, nil)}), text
}

func (p *slowFiles) FilesWith(_ context.Context, n store.Names) (store.FileList, error) {
	if n.Defined {
		return store.FileList{Rows: p.rows[:1+p.defined]}, nil
	}
	return store.FileList{Rows: p.rows}, nil
}

func (p *slowFiles) Like(context.Context, string, int) ([]string, []store.Row, error) {
	return nil, nil, nil
}

func (p *slowFiles) Paths(api.Corpus) []string { return nil }

func (p *slowFiles) Document(_ context.Context, f chunk.File) (*chunk.Document, error) {
	return chunk.Plain(f.Language, f.Text), nil
}

func (p *slowFiles) find(t *testing.T, q api.SymbolQuery) (api.SymbolResults, time.Duration) {
	t.Helper()
	began := time.Now()
	found, err := Find(t.Context(), p, Request{Query: q, Documents: p,
		Open: func() (Read, func()) {
			return func(path string, _ func([]byte) bool) []byte {
				time.Sleep(p.each)
				return []byte(p.texts[path])
			}, func() {}
		},
		Allowed: func(string) bool { return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	return found, time.Since(began)
}

// A question ends within its time limit, even if many files have the name, and counts the unread files.
func TestAnswerTime(t *testing.T) {
	const files = 4000
	synctest.Test(t, func(t *testing.T) {
		p := &slowFiles{each: 2 * time.Millisecond}
		p.add("a/def.go", "package a\n\nfunc Rotate() {}\n")
		for i := range files {
			p.add(fmt.Sprintf("a/use%d.go", i), "package a\n\nfunc use() { Rotate() }\n")
		}
		q := api.SymbolQuery{Name: "Rotate", Uses: true}
		found, took := p.find(t, q)
		if took > commonTime+p.each {
			t.Errorf("took %s", took)
		}
		if _, took := p.find(t, api.SymbolQuery{Name: "a.Rotate"}); took < answerTime || took > answerTime+p.each {
			t.Errorf("a name with a scope took %s", took)
		}
		if n := found.TotalUses; n < 10 || n+found.Unread != files || len(found.Definitions) != 1 {
			t.Errorf("%d definitions, %d uses, %d files unread", len(found.Definitions), n, found.Unread)
		}
		q.Complete = true
		if found, took = p.find(t, q); found.TotalUses != files || found.Unread != 0 || took < answerTime {
			t.Errorf("a complete answer: %d uses, %d files unread, took %s", found.TotalUses, found.Unread, took)
		}
	})
}

// If each file takes the whole time limit, the files that were read are still reported.
func TestAnswerOfSlowFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &slowFiles{each: answerTime}
		p.add("a/def.go", "package a\n\nfunc Rotate() {}\n")
		for i := range 50 {
			p.add(fmt.Sprintf("a/use%d.go", i), "package a\n\nfunc use() { Rotate() }\n")
		}
		found, took := p.find(t, api.SymbolQuery{Name: "Rotate", Uses: true})
		if took > answerTime+2*p.each || len(found.Definitions) != 1 || found.TotalUses == 0 {
			t.Errorf("took %s: %d definitions, %d uses", took, len(found.Definitions), found.TotalUses)
		}
	})
}

// A name may be requested with its scopes, and with the sign that ends it.
func TestAskedFor(t *testing.T) {
	p := &slowFiles{}
	p.add("pay.proto", "service Payments {\n  rpc Refund(A) returns (B);\n}\nservice Others {\n"+
		"  rpc Refund(A) returns (B);\n}\n")
	p.add("main.tf", "resource \"aws_s3_bucket\" \"logs\" {\n}\nresource \"aws_sqs\" \"logs\" {\n}\n")
	p.add("a.cr", "class A\n  def save!\n  end\n  def save\n  end\nend\n")
	p.add("b.smithy", "model Customer {\n  id Int\n}\n")
	for asked, want := range map[string]string{
		"Payments.Refund": "pay.proto:2", "Others.Refund": "pay.proto:5", "aws_sqs.logs": "main.tf:3",
		"save!": "a.cr:2", "save": "a.cr:4", "Customer": "not read: [b.smithy]",
	} {
		found, _ := p.find(t, api.SymbolQuery{Name: asked, Complete: true})
		got := ""
		if len(found.NotRead) > 0 {
			got = fmt.Sprintf("not read: %v", found.NotRead)
		} else if len(found.Definitions) == 1 && len(found.Notes) == 0 {
			got = fmt.Sprintf("%s:%d", found.Definitions[0].Path, found.Definitions[0].Line)
		}
		if got != want {
			t.Errorf("%s: %q, want %q: %+v", asked, got, want, found)
		}
	}
}

// Files after the first maxParsed bytes are not parsed, and definitions after half of them. Their uses
// are counted, but none is certain.
func TestFilesWithoutTree(t *testing.T) {
	p := &slowFiles{}
	p.add("a/a.go", "package a\n\nfunc Rotate() {}\n")
	text := "package a\n\nfunc use() { Rotate() }\n// " + strings.Repeat("long ", maxParsed/50) + "\n"
	const files = 30
	for i := range files {
		p.add(fmt.Sprintf("a/use%02d.go", i), text)
	}
	found, _ := p.find(t, api.SymbolQuery{Name: "Rotate", Uses: true})
	if found.TotalUses == 0 || found.TotalPossible+found.Unread == 0 || len(found.Definitions) != 1 ||
		found.TotalUses+found.TotalPossible+found.Unread != files {
		t.Errorf("%d certain, %d possible, %d unread", found.TotalUses, found.TotalPossible, found.Unread)
	}
	p.defined = files
	for path := range p.texts {
		p.texts[path] = strings.Replace(text, "use() { Rotate() }", "Rotate() {}", 1)
	}
	found, _ = p.find(t, api.SymbolQuery{Name: "Rotate", Uses: true})
	if n := len(found.Definitions); n < 1 || n > 8 || n+found.TotalPossible+found.Unread < files {
		t.Errorf("%d definitions, %d possible uses", n, found.TotalPossible)
	}
}

// Parts of a name as an HTML tag, such as "test" of "test-tree" for TestTree, don't select files of other languages.
func TestFilesOfTags(t *testing.T) {
	p := project{"tree_test.go": "package tree\n\nfunc TestTree() {}\n",
		"test.go": "package tree\n\n// A test of a tree.\n", "a.vue": "<template><test-tree/></template>\n"}
	var mu sync.Mutex
	read := map[string]bool{}
	_, err := Find(t.Context(), p, Request{Query: api.SymbolQuery{Name: "TestTree"}, Documents: p, Open: p.open,
		Allowed: func(path string) bool {
			mu.Lock()
			defer mu.Unlock()
			read[path] = true
			return true
		}})
	if err != nil || read["test.go"] || !read["a.vue"] {
		t.Errorf("read %v, %v", read, err)
	}
}

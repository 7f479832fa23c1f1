package engine

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
)

// listModel records the order of the texts. Its first call of Texts waits for goOn.
type listModel struct {
	hashModel
	begun, goOn chan struct{}
	texts       chan string
}

func (m listModel) Texts(ctx context.Context, texts []string, each func(int, api.Vector)) error {
	select {
	case <-m.begun:
	default:
		close(m.begun)
		<-m.goOn
	}
	for _, s := range texts {
		m.texts <- s
	}
	return m.hashModel.Texts(ctx, texts, each)
}

// With more files than fit into a batch, documents come first and tests last; a test found by a search during the
// first batch leads the second.
func TestVectorsMostUsefulFirst(t *testing.T) {
	t.Parallel()
	const plain = 1100
	root, err := scan.CanonicalRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	// Set the times a day back: recently changed files would come first.
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(root, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-24 * time.Hour)
		if err := os.Chtimes(file, old, old); err != nil {
			t.Fatal(err)
		}
	}
	for i := range plain {
		write(fmt.Sprintf("f%04d.go", i), fmt.Sprintf("package p\n\nfunc Plain%d() {}\n", i))
	}
	write("a_test.go", "package p\n\nfunc TestOrdinary() {}\n")
	write("b_test.go", "package p\n\nfunc TestWanted() {}\n")
	write("README.md", "# Introduction\n\nWhat this is about.\n")

	m := listModel{begun: make(chan struct{}), goOn: make(chan struct{}), texts: make(chan string, 2*plain)}
	o := Options{Data: t.TempDir(), Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	e, err := Open(t.Context(), o.WithModel(m))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(context.Background())
	job, err := e.Create(t.Context(), root, api.Approval{})
	if err != nil {
		t.Fatal(err)
	}
	<-m.begun
	if _, err := e.Search(t.Context(), []string{root}, api.Query{Text: "TestWanted", Corpus: api.CorpusCode, TopK: 1,
		LexicalOnly: true}); err != nil {
		t.Fatal(err)
	}
	close(m.goOn)
	<-job.Done()
	close(m.texts)
	var order []string
	for s := range m.texts {
		order = append(order, s)
	}
	at := func(word string) int {
		return slices.IndexFunc(order, func(s string) bool { return strings.Contains(s, word) })
	}
	readme, wanted, ordinary, last := at("Introduction"), at("Wanted"), at("Ordinary"), at(fmt.Sprintf("Plain%d", plain-1))
	if readme != 0 || ordinary != len(order)-1 || wanted < 0 || wanted > last || len(order) != plain+3 {
		t.Errorf(
			"of %d texts the introduction came as number %d, the test that was found %d, the last plain "+
				"file %d, the other test %d",
			len(order), readme, wanted, last, ordinary)
	}
}

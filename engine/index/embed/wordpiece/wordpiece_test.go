package wordpiece

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// The golden files are the reference tokenizer's output, which testdata/golden.py writes.

const vocabPath = "../../../../assets/model/vocab.txt"

func testVocabulary(t testing.TB) *Vocabulary {
	t.Helper()
	text, err := os.ReadFile(vocabPath)
	if err != nil {
		t.Fatal(err)
	}
	v, err := NewVocabulary(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

type golden struct {
	Text string  `json:"text"`
	IDs  []int32 `json:"ids"`
}

func goldens(t testing.TB) []golden {
	t.Helper()
	f, err := os.Open("testdata/texts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []golden
	for d := json.NewDecoder(bufio.NewReader(f)); d.More(); {
		var g golden
		if err := d.Decode(&g); err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	if len(all) < 500 {
		t.Fatalf("only %d goldens", len(all))
	}
	return all
}

func TestEncodeMatchesReference(t *testing.T) {
	v := testVocabulary(t)
	e := NewEncoder(v)
	for _, g := range goldens(t) {
		if got := e.Encode(nil, g.Text, 0); !slices.Equal(got, g.IDs) {
			t.Errorf("Encode(%q)\n got %v\nwant %v", g.Text, got, g.IDs)
		}
	}
}

func TestEncodeAppends(t *testing.T) {
	e := NewEncoder(testVocabulary(t))
	if got, want := e.Encode([]int32{7, 8}, "hello world", 3), []int32{7, 8, 101, 7592, 102}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestVocabularyWithoutSpecials(t *testing.T) {
	if _, err := NewVocabulary("[PAD]\n[UNK]\n[CLS]\nhello\n"); err == nil {
		t.Error("a vocabulary without [SEP] was taken")
	}
}

func FuzzEncode(f *testing.F) {
	v := testVocabulary(f)
	for _, s := range []string{"", "hello", "\xff\xfe", "[CLS", "é\u0301", strings.Repeat("x", 300),
		strings.Repeat("parseHTTPHeader 日本 ", 30)} {
		for _, limit := range []int{2, 3, 16, 128} {
			f.Add(s, limit)
		}
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		if limit < 0 || limit > 512 {
			limit = 128
		}
		full := NewEncoder(v).Encode(nil, s, 0)
		if full[0] != v.cls || full[len(full)-1] != v.sep {
			t.Fatalf("not framed: %v", full)
		}
		for _, id := range full {
			if id < 0 || int(id) >= v.Size() {
				t.Fatalf("id %d", id)
			}
		}
		e := NewEncoder(v)
		e.Encode(nil, s, 0) // fills the memo
		got := e.Encode(nil, s, limit)
		want := full
		if limit > 0 && len(full) > max(limit, 2) {
			want = append(slices.Clone(full[:max(limit, 2)-1]), v.sep)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("limit %d: got %v, want %v", limit, got, want)
		}
	})
}

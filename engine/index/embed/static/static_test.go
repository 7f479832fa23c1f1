package static

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"sync"
	"testing"

	"searchmcp/assets/model"
	"searchmcp/engine/api"
)

func open(t testing.TB) *Table {
	t.Helper()
	table, err := Bundled()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestBundled(t *testing.T) {
	table := open(t)
	m, err := model.Bundled()
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256([]byte(model.Static())); hex.EncodeToString(sum[:]) != m.Static.SHA256 {
		t.Error("the hash of static.bin differs from model.json; make static writes both")
	}
	if table.borrow() == nil {
		t.Error("the table has not a row for each token of the vocabulary")
	}
}

func cosine(a, b api.Vector) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// A name equals its words, and text without meaning has a zero vector.
func TestVector(t *testing.T) {
	table := open(t)
	for _, c := range []struct{ text, near, far string }{
		{"remove a folder", "delete the directory and its files", "parse the date of a mail's header"},
		{"retry when the network fails", "connection lost: try again with backoff", "draw a rounded rectangle"},
		{"how are passwords stored", "hash the user's secret with bcrypt", "convert an image to grey"},
	} {
		q := table.Question(c.text)
		near, far := cosine(q, table.Question(c.near)), cosine(q, table.Question(c.far))
		if near <= far {
			t.Errorf("%q: %.3f to %q, %.3f to %q", c.text, near, c.near, far, c.far)
		}
		if length := math.Sqrt(cosine(q, q)); math.Abs(length-1) > 1e-5 {
			t.Errorf("%q: length %v", c.text, length)
		}
	}
	if got := cosine(table.Question("parseHTTPHeader"), table.Question("parse http header")); got < 0.999 {
		t.Errorf("a name and its words: %v", got)
	}
	for _, text := range []string{"", " \n\t"} {
		if v := table.Question(text); v != (api.Vector{}) {
			t.Errorf("%q has a direction", text)
		}
	}
}

func TestConcurrent(t *testing.T) {
	table := open(t)
	want := table.Question("read the configuration")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if table.Question("read the configuration") != want {
					t.Error("another vector")
				}
				table.Release()
			}
		})
	}
	wg.Wait()
}

func TestAdd(t *testing.T) {
	table := open(t)
	var got, want api.Vector
	for id := range len(table.rows) / RowSize {
		table.add(&got, id, 1)
		row := table.rows[id*RowSize : (id+1)*RowSize]
		scale := math.Float32frombits(binary.LittleEndian.Uint32([]byte(row[:4])))
		for i := range want {
			want[i] += scale * float32(int8(row[4+i]))
		}
		if got != want {
			t.Fatalf("another sum after row %d", id)
		}
	}
}

package confirm

import (
	"crypto/rand"
	"testing"

	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

func TestOpenQuestionsAreBounded(t *testing.T) {
	q := New(Options{})
	loop, other := &session.Session{}, &session.Session{}
	for range maxOpen {
		if _, ok := q.put(api.Question{ID: rand.Text()}, loop); !ok {
			t.Fatal("refused too early")
		}
	}
	if _, ok := q.put(api.Question{ID: rand.Text()}, loop); ok {
		t.Error("no bound")
	}
	if _, ok := q.put(api.Question{ID: rand.Text()}, other); !ok {
		t.Error("one session keeps another from asking")
	}
}

func TestQuote(t *testing.T) {
	for path, want := range map[string]string{"/a b/it's": `'/a b/it'\''s'`, "/p/shop": "/p/shop"} {
		if got := quote(path); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

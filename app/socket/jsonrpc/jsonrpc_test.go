package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadLine(t *testing.T) {
	const limit = 100_000
	long := strings.Repeat("x", limit)
	for _, test := range []struct {
		name, stream string
		want         []string // lines, or error names
	}{
		{"empty", "", []string{"EOF"}},
		{"lines", "a\n b \r\n\nc\n", []string{"a", "b", "", "c", "EOF"}},
		{"half a line", "a\nhalf", []string{"a", "unexpected EOF with half"}},
		{"just short enough", long + "\nb\n", []string{long, "b", "EOF"}},
		{"too long", long + "x\nb\n", []string{"too long: 100001", "b", "EOF"}},
		{"far too long", strings.Repeat(long, 5) + "\nb\n", []string{"too long: 500000", "b", "EOF"}},
		{"too long and half", long + "xy", []string{"too long: 100002", "EOF"}},
	} {
		for how, stream := range map[string]io.Reader{
			"whole": strings.NewReader(test.stream), "by bytes": iotest.OneByteReader(strings.NewReader(test.stream)),
		} {
			r := NewReader(stream, limit)
			for _, want := range test.want {
				line, err := r.ReadLine()
				if got := outcomeOf(t, line, err); got != want {
					t.Fatalf("%s, %s: %.60q, want %.60q", test.name, how, got, want)
				}
			}
		}
	}
	broken := errors.New("broken")
	if _, err := NewReader(iotest.ErrReader(broken), limit).ReadLine(); !errors.Is(err, broken) {
		t.Errorf("a broken stream gives %v", err)
	}
}

func outcomeOf(t *testing.T, line []byte, err error) string {
	t.Helper()
	var long *TooLongError
	switch {
	case errors.As(err, &long):
		if len(long.Start) > keptStart || len(long.Start) < min(long.Size, keptStart) {
			t.Errorf("%d bytes of a message that is too long are kept", len(long.Start))
		}
		return "too long: " + string(mustJSON(long.Size))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "unexpected EOF with " + string(line)
	case err != nil:
		return err.Error()
	}
	return string(line)
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func TestParse(t *testing.T) {
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}`:         "request 1 m [1]",
		`{"id":12345678901234567890,"method":"m"}`:                   "request 12345678901234567890 m ",
		`{ "id" : "x\u00e9" , "method":"m"}`:                         `request "x\u00e9" m `,
		`{"method":"m"}`:                                             "notification m ",
		`{"id":null,"method":"m"}`:                                   "notification m ",
		`{"id":1,"result":null}`:                                     "answer 1 null",
		`{"id":1,"error":{"code":-5,"message":"no","data":{"a":1}}}`: `error 1 -5 no {"a":1}`,
		`{"id":1,"error":"no"}`:                                      "error 1 -32603 no reason given ",
		`{"id":null,"error":{"code":-32700,"message":"what?"}}`:      "error  -32700 what? ",
		`{"id":1}`:                 "refused -32600 for 1",
		`{"id":null}`:              "refused -32600 for ",
		`{}`:                       "refused -32600 for ",
		`{"id":true,"method":"m"}`: "refused -32600 for ",
		`{"id":{},"method":"m"}`:   "refused -32600 for ",
		`{"id":1,"method":7}`:      "refused -32600 for 1",
		`{"id":1,"method":""}`:     "refused -32600 for 1",
		`{"id":1,"Method":"search-mcp/quit","method":"ping"}`: "refused -32600 for 1",
		`{"id":1,"method":"ping","ID":2}`:                     "refused -32600 for 1",
		`[{"id":1,"method":"m"}]`:                             "refused -32600 for ",
		`{nonsense`:                                           "refused -32700 for ",
		`null`:                                                "refused -32700 for ",
		`12`:                                                  "refused -32700 for ",
		`{"a":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`: "refused -32700 for ",
	} {
		wantEqual(t, parsed(Parse([]byte(line))), want, "parsed")
	}
}

func parsed(m Message, err error) string {
	var e *Error
	switch {
	case errors.As(err, &e):
		return "refused " + string(mustJSON(e.Code)) + " for " + string(m.ID)
	case m.IsRequest():
		return "request " + string(m.ID) + " " + m.Method + " " + string(m.Params)
	case m.IsNotification():
		return "notification " + m.Method + " " + string(m.Params)
	case m.Error != nil:
		return "error " + string(m.ID) + " " + string(mustJSON(m.Error.Code)) + " " + m.Error.Message + " " +
			string(m.Error.Data)
	}
	return "answer " + string(m.ID) + " " + string(m.Result)
}

// TestByteOrderMark checks that a byte order mark before the first message is ignored.
func TestByteOrderMark(t *testing.T) {
	m, err := Parse([]byte("\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil || m.Method != "ping" || m.Raw[0] != '{' {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := Parse([]byte("\ufeff")); err == nil {
		t.Error("a mark alone is a message")
	}
}

func TestEnvelopes(t *testing.T) {
	id := json.RawMessage("7")
	for _, test := range []struct {
		e    Envelope
		want string
	}{
		{Request(id, "m", map[string]int{"a": 1}), `{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":1}}`},
		{Notification("m", nil), `{"jsonrpc":"2.0","method":"m"}`},
		{Result(id, struct{}{}), `{"jsonrpc":"2.0","id":7,"result":{}}`},
		{Result(id, nil), `{"jsonrpc":"2.0","id":7,"result":null}`},
		{Result(id, false), `{"jsonrpc":"2.0","id":7,"result":false}`},
		{Failure(nil, ParseError, "what?"), `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}`},
		{Failure(id, ServerError, "no").WithData(1),
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"no","data":1}}`},
		{Failure(id, ServerError, "no").WithData(func() {}),
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"no"}}`},
	} {
		wantEqual(t, string(mustJSON(test.e)), test.want, "mustJSON")
	}
	if got, err := WithMember([]byte(`{"id":1,"method":"m"}`), "id", id); err != nil ||
		string(got) != `{"id":7,"method":"m"}` {
		t.Errorf("%s %v", got, err)
	}
	if _, err := WithMember([]byte(`[]`), "id", id); err == nil {
		t.Error("a member of a list")
	}
}

func TestFindID(t *testing.T) {
	for start, want := range map[string]string{
		`{"jsonrpc":"2.0","id":"x","params":"aaaa`: `"x"`, `{"params":{"id":5},"id":12,`: "12", `{"params":"aaaa`: "",
		`{"id":`: "", `["id",1]`: "", "": "",
	} {
		wantEqual(t, string(FindID([]byte(start))), want, "%s: FindID", start)
	}
}

func TestCalls(t *testing.T) {
	for prefix, want := range map[string]string{"": "1", "srv-": `"srv-1"`} {
		c := Calls{Prefix: prefix}
		id, answer := c.Open()
		wantEqual(t, string(id), want, "id")
		wantEqual(t, c.Answer(Message{ID: json.RawMessage("99")}), false, "an answer to nothing was taken")
		if !c.Answer(Message{ID: id, Result: json.RawMessage("true")}) || c.Answer(Message{ID: id}) {
			t.Error("an answer counts once")
		}
		wantEqual(t, string((<-answer).Result), "true", "result")
		next, _ := c.Open()
		c.Close(next)
		if string(next) == want || c.Answer(Message{ID: next}) {
			t.Errorf("%s was closed", next)
		}
	}
}

func TestServing(t *testing.T) {
	s := Serving{Max: 2}
	one, two := json.RawMessage("1"), json.RawMessage(`"1"`)
	ctx, err := s.Begin(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Begin(t.Context(), one); !errors.Is(err, ErrDuplicateID) {
		t.Errorf("%v", err)
	}
	other, err := s.Begin(t.Context(), two)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Begin(t.Context(), json.RawMessage("3")); !errors.Is(err, ErrTooMany) {
		t.Errorf("%v", err)
	}
	s.Cancel(json.RawMessage("9"))
	s.Cancel(one)
	if !errors.Is(ctx.Err(), context.Canceled) || other.Err() != nil {
		t.Errorf("%v, %v", ctx.Err(), other.Err())
	}
	if !s.End(one) || s.End(two) || s.End(two) || other.Err() == nil {
		t.Error("one was cancelled, the other has ended")
	}
	if _, err := s.Begin(t.Context(), one); err != nil {
		t.Errorf("an id that is free again: %v", err)
	}
}

// FuzzReader checks that Reader returns the lines of a stream and ends, for any input in any portions.
func FuzzReader(f *testing.F) {
	f.Add([]byte("a\nbb\r\n\n{\"id\":1}\nhalf"), 3)
	f.Add([]byte(strings.Repeat("long ", 40000)+"\nx\n"), 10)
	f.Fuzz(func(t *testing.T, stream []byte, limit int) {
		limit = max(limit, 0) % (1 << 20)
		lines := bytes.SplitAfter(stream, []byte("\n"))
		r := NewReader(iotest.HalfReader(bytes.NewReader(stream)), limit)
		for _, want := range lines {
			if len(want) == 0 {
				break // the end
			}
			text, whole := bytes.CutSuffix(want, []byte("\n"))
			line, err := r.ReadLine()
			var long *TooLongError
			switch {
			case len(text) > limit:
				if !errors.As(err, &long) || long.Size != len(text) || !bytes.HasPrefix(want, long.Start) {
					t.Fatalf("%d bytes of at most %d: %v", len(text), limit, err)
				}
			case !bytes.Equal(line, bytes.TrimSpace(text)) || (err == nil) != whole ||
				(!whole && !errors.Is(err, io.ErrUnexpectedEOF)):
				t.Fatalf("%q, %v; want %q", line, err, text)
			}
		}
		if line, err := r.ReadLine(); !errors.Is(err, io.EOF) || line != nil {
			t.Fatalf("after the end: %q, %v", line, err)
		}
	})
}

// FuzzParse checks that an accepted message is one of the three kinds, and Go's decoder reads the same values.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1,"method":"m","params":{}}`, `{"id":"a","result":1}`,
		`{"ID":1,"method":"m"}`, `[]`,
		`{"id":1,"error":{"code":1}}`, `{"id":1,"\u004dethod":"m","method":"n"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			t.Skip("lines without anything are not parsed")
		}
		m, err := Parse(line)
		if err != nil {
			if e := new(Error); !errors.As(err, &e) || e.Message == "" {
				t.Fatalf("%v", err)
			}
			return
		}
		kinds := 0
		for _, is := range []bool{m.IsRequest(), m.IsNotification(), m.IsAnswer()} {
			if is {
				kinds++
			}
		}
		var plain struct{ Method string }
		if err := json.Unmarshal(line, &plain); kinds != 1 || err != nil || plain.Method != m.Method {
			t.Fatalf("%d kinds; %q is %q to others (%v)", kinds, m.Method, plain.Method, err)
		}
	})
}

// wantEqual reports a got that isn't want. The format names got.
func wantEqual[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}

package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"

	"searchmcp/engine/api"
)

// Parse decodes an index and checks every rule of the specification. The index is nil if Parse returns problems.
func Parse(data []byte) (*Index, []api.SiteProblem) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var v validator
	v.check(data)
	if len(v.problems) > 0 {
		return nil, v.problems
	}
	var x Index
	if err := json.Unmarshal(data, &x); err != nil {
		return nil, []api.SiteProblem{{Path: "$", Message: "not readable: " + err.Error()}}
	}
	return &x, nil
}

type validator struct{ problems []api.SiteProblem }

func (v *validator) add(path, format string, args ...any) {
	v.problems = append(v.problems, api.SiteProblem{Path: path, Message: fmt.Sprintf(format, args...)})
}

func (v *validator) check(data []byte) {
	d := json.NewDecoder(bytes.NewReader(data))
	var root any
	if err := d.Decode(&root); err != nil {
		v.add("$", "not valid JSON: %s", position(data, d, err))
		return
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		v.add("$", "unexpected data after the JSON object")
		return
	}
	m, ok := root.(map[string]any)
	if !ok {
		v.add("$", "must be an object, but is %s", kind(root))
		return
	}
	old := v.version(m)
	v.generated(m)
	v.site(m, old)
	v.pages(m)
}

func position(data []byte, d *json.Decoder, err error) string {
	at := d.InputOffset()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = syntax.Offset
	}
	early := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if at = min(at, int64(len(data))); early {
		at = int64(len(data))
	}
	line := 1 + bytes.Count(data[:at], []byte("\n"))
	if early {
		return fmt.Sprintf("it ends too early (line %d)", line)
	}
	return fmt.Sprintf("%s (line %d)", err, line)
}

var versionForm = regexp.MustCompile(`^([0-9]+)\.([0-9]+)(\.[0-9]+)?$`)

func (v *validator) version(m map[string]any) (old bool) {
	s, ok := v.text(m, "version", true)
	if !ok {
		return false
	}
	parts := versionForm.FindStringSubmatch(s)
	switch {
	case parts == nil:
		v.add("version", "must be a version like %q, but is %q", Version, short(s))
	case parts[1] == "2":
		return true
	case parts[1] != "3":
		v.add("version", "version %s is not supported; 3.0 and 2.x are", short(s))
	}
	return false
}

func (v *validator) generated(m map[string]any) {
	s, ok := v.text(m, "generated", true)
	if !ok {
		return
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04Z07:00",
		"2006-01-02T15:04:05.999999999Z0700", time.DateOnly} {
		if _, err := time.Parse(layout, s); err == nil {
			return
		}
	}
	v.add("generated", "must be an ISO 8601 timestamp, but is %q", short(s))
}

func (v *validator) site(m map[string]any, old bool) {
	s, ok := field[map[string]any](v, m, "site", "an object", !old)
	if !ok {
		return
	}
	if name, ok := v.text(s, "site.name", true); ok && strings.ContainsFunc(name, unicode.IsControl) {
		v.add("site.name", "must be one line, but is %q", short(name))
	}
	if domain, ok := v.text(s, "site.domain", true); ok {
		if u, err := url.Parse("https://" + domain); strings.Contains(domain, "://") {
			v.add("site.domain", "must not have a protocol, but is %q", short(domain))
		} else if err != nil || u.Host != domain || u.Hostname() == "" {
			v.add("site.domain", "must be a domain like \"blog.example.com\", but is %q", short(domain))
		}
	}
	v.text(s, "site.description", false)
	if prefix, ok := v.text(s, "site.toolPrefix", false); ok && !ValidPrefix(prefix) {
		v.add("site.toolPrefix", "must match ^[a-z][a-z0-9_]*$, but is %q", short(prefix))
	}
}

func (v *validator) pages(m map[string]any) {
	n, isNumber := field[float64](v, m, "pageCount", "a number", true)
	if isNumber && (n != math.Trunc(n) || n < 0 || n > math.MaxInt32) {
		v.add("pageCount", "must be a whole number, but is %v", n)
		isNumber = false
	}
	list, ok := field[[]any](v, m, "pages", "an array", true)
	if ok && isNumber && int(n) != len(list) {
		v.add("pageCount", "is %d, but pages has length %d", int(n), len(list))
	}
	first := map[string]int{}
	for i, p := range list {
		v.page(fmt.Sprintf("pages[%d]", i), i, p, first)
	}
}

func (v *validator) page(path string, i int, value any, first map[string]int) {
	p, ok := value.(map[string]any)
	if !ok {
		v.add(path, "must be an object, but is %s", kind(value))
		return
	}
	path += "."
	if u, ok := v.text(p, path+"url", true); ok {
		if fault := urlFault(u); fault != "" {
			v.add(path+"url", "%s, but is %q", fault, short(u))
		}
		if at, taken := first[u]; taken {
			v.add(path+"url", "%q is a duplicate of pages[%d].url", short(u), at)
		} else {
			first[u] = i
		}
	}
	v.text(p, path+"title", true)
	v.text(p, path+"abstract", false)
	v.text(p, path+"body", false)
	if date, ok := v.text(p, path+"date", false); ok && date != "" {
		if _, err := time.Parse(time.DateOnly, date); err != nil {
			v.add(path+"date", "must be a date as YYYY-MM-DD, but is %q", short(date))
		}
	}
	topics, _ := field[[]any](v, p, path+"topics", "an array of strings", false)
	for j, t := range topics {
		if _, ok := t.(string); !ok {
			v.add(fmt.Sprintf("%stopics[%d]", path, j), "must be a string, but is %s", kind(t))
		}
	}
}

// urlFault describes the error in a page's url ("URL Format"), or returns "".
func urlFault(s string) string {
	u, err := url.Parse(s)
	switch {
	case strings.Contains(s, "://") && !strings.HasPrefix(s, "/"), strings.HasPrefix(s, "//"):
		return "must be a path without the domain"
	case !strings.HasPrefix(s, "/"):
		return "must start with /"
	case err != nil || strings.ContainsAny(s, " \t\r\n\\"):
		return "must be a valid URL path"
	case u.Path != "/" && strings.HasSuffix(u.Path, "/"):
		return "must not end with a slash"
	}
	return ""
}

// field returns the field at path. expected is the text for T in error messages, such as "a string".
func field[T any](v *validator, m map[string]any, path, expected string, required bool) (value T, ok bool) {
	raw := m[path[strings.LastIndexByte(path, '.')+1:]]
	if raw == nil {
		if required {
			v.add(path, "is required")
		}
	} else if value, ok = raw.(T); !ok {
		v.add(path, "must be %s, but is %s", expected, kind(raw))
	}
	return value, ok
}

// text returns the string field at path, which must not be blank if it is required.
func (v *validator) text(m map[string]any, path string, required bool) (string, bool) {
	s, ok := field[string](v, m, path, "a string", required)
	if ok && required && strings.TrimSpace(s) == "" {
		v.add(path, "must not be empty")
		return "", false
	}
	return s, ok
}

func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case float64:
		return "a number"
	case bool:
		return "a boolean"
	case []any:
		return "an array"
	}
	return "an object"
}

func short(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return s
}

package display

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Visible returns s with invisible characters escaped, except newlines and tabs. It converts CRLF and CR to newlines
// and replaces invalid UTF-8 with U+FFFD.
func Visible(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, Hidden) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for i, r := range s {
		switch {
		case r == '\r':
			if !strings.HasPrefix(s[i+1:], "\n") {
				b.WriteByte('\n')
			}
		case r == utf8.RuneError:
			b.WriteRune(r)
		case !Hidden(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Hidden reports whether r is invisible or changes how other characters are displayed. Newlines and tabs are not
// hidden.
func Hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	case r >= 0xe0100 && r <= 0xe01ef:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point)
}

func VisibleAll(v any) { walkStrings(reflect.ValueOf(v)) }

func walkStrings(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			v.SetString(Visible(v.String()))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walkStrings(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			walkStrings(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			walkStrings(v.Index(i))
		}
	}
}

func Shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return string(runes[:n-1]) + "…"
}

func CutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Duration formats d as the RFC requires, such as "1m 20s", rounded up.
func Duration(d time.Duration) string {
	s := max(0, int64(math.Ceil(d.Seconds())))
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return strings.TrimSuffix(fmt.Sprintf("%dm %ds", s/60, s%60), " 0s")
	default:
		return strings.TrimSuffix(fmt.Sprintf("%dh %dm", s/3600, s%3600/60), " 0m")
	}
}

// Size formats a number of bytes as the RFC requires, such as "45MB".
func Size(n int64) string {
	const kb, mb, gb = 1 << 10, 1 << 20, 1 << 30
	switch {
	case n < kb:
		return fmt.Sprintf("%dB", max(n, 0))
	case n < mb:
		return fmt.Sprintf("%dKB", (n+kb/2)/kb)
	case n < gb:
		return fmt.Sprintf("%dMB", (n+mb/2)/mb)
	default:
		return fmt.Sprintf("%.1fGB", float64(n)/gb)
	}
}

// Capital capitalizes s if it begins with an article. Other texts begin with a name and stay unchanged.
func Capital(s string) string {
	if strings.HasPrefix(s, "the ") || strings.HasPrefix(s, "an ") {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

func Files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// Time formats t as the RFC requires. It returns "" for the zero time.
func Time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

const (
	MaxEcho = 200 // maximum characters of a client's input that a message repeats
	MaxName = 60  // maximum characters of a name; a longer name could add a sentence to a question
)

// Line returns s as a single line, with invisible characters escaped.
func Line(s string) string { return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(Visible(s)) }

func Short(s string) string { return Shorten(Visible(s), MaxEcho) }

// Name returns s as a single line of at most MaxName characters, with invisible characters escaped.
func Name(s string) string { return Shorten(Visible(strings.Join(strings.Fields(s), " ")), MaxName) }

func Echo(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "that"
	}
	return Shorten(Visible(strings.TrimSuffix(b.String(), "\n")), MaxEcho)
}

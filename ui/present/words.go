package present

import (
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	"searchmcp/assets/translations"
)

func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + T(separator) + s[i:]
	}
	return s
}

const (
	separator Text = ","
	point     Text = "."
)

func decimal(v float64) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', 1, 64), ".", T(point), 1)
}

func Score(v float64) string { return strings.Replace(fmt.Sprintf("%.2f", v), ".", T(point), 1) }

// Count formats a number with its noun: "1 file", "4,812 files".
func Count(n int, noun Plural) string { return fmt.Sprintf(spoken.Plural(noun, n), Number(n)) }

// Size formats a number of bytes with at least two digits in powers of 1024: "512 B", "14 KB", "1.2 GB".
func Size(bytes int64) string {
	if bytes < 1<<10 {
		return strconv.FormatInt(max(bytes, 0), 10) + " B"
	}
	value, unit := float64(bytes)/(1<<10), 0
	for value >= 1023.5 && unit < len(units)-1 {
		value, unit = value/(1<<10), unit+1
	}
	if value < 9.95 {
		return decimal(value) + " " + units[unit]
	}
	return fmt.Sprintf("%.0f %s", value, units[unit])
}

var units = []string{"KB", "MB", "GB", "TB", "PB"}

// Length formats an estimated duration in its largest unit: "40 s", "3 min", "2 h", "5 days".
func Length(d time.Duration) string {
	switch {
	case d < time.Second:
		return T("under a second")
	case d < 90*time.Second:
		return T("%d s", int(d.Round(time.Second)/time.Second))
	case d < 90*time.Minute:
		return T("%d min", int(d.Round(time.Minute)/time.Minute))
	case d < 36*time.Hour:
		return T("%d h", int(d.Round(time.Hour)/time.Hour))
	}
	return Count(int(d.Round(24*time.Hour)/(24*time.Hour)), "day")
}

func Took(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d < time.Millisecond:
		return "<1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return decimal(d.Seconds()) + " s"
	}
	return Length(d)
}

// Ago formats how long ago t was: "just now", "2 min ago", "yesterday", "3 Mar 2026". The zero time is "never".
func Ago(t, now time.Time) string {
	if t.IsZero() {
		return T("never")
	}
	d := now.Sub(t)
	switch {
	case d < 45*time.Second: // includes times slightly in the future
		return T("just now")
	case d < time.Hour:
		return T("%d min ago", max(1, int(d/time.Minute)))
	case d < 24*time.Hour:
		return T("%d h ago", int(d/time.Hour))
	case d < 48*time.Hour:
		return T("yesterday")
	case d < 14*24*time.Hour:
		return T("%d days ago", int(d/(24*time.Hour)))
	}
	return t.Local().Format(T(dateLayout))
}

const (
	dateLayout   Text = "2 Jan 2006"
	momentLayout Text = "2 Jan 15:04"
)

func Clock(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format("15:04:05")
	}
	return t.Format(T(momentLayout))
}

func Percent(done, total int) string {
	if total <= 0 {
		return ""
	}
	return fmt.Sprintf("%d %%", int(100*Share(done, total)))
}

func Share(done, total int) float64 {
	if total <= 0 {
		return 0
	}
	return min(1, max(0, float64(done)/float64(total)))
}

func Home(p, home string) string {
	if home != "" && home != string(filepath.Separator) {
		if p == home {
			return "~"
		}
		if rest, ok := strings.CutPrefix(p, home+string(filepath.Separator)); ok {
			p = "~" + string(filepath.Separator) + rest
		}
	}
	return line(p)
}

// line returns external text as one line. Without control and direction characters, the text can't imitate the window's
// own.
func line(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

func Base(p string) (dir, base string) {
	dir, base = path.Split(p)
	return strings.TrimSuffix(dir, "/"), base
}

func Middle(s string, n int) string {
	r := []rune(s)
	if len(r) <= n || n < 3 {
		return s
	}
	head := (n - 1) / 3
	return string(r[:head]) + "…" + string(r[len(r)-(n-1-head):])
}

type (
	Text   = translations.Text
	Plural = translations.Plural
)

var spoken = translations.English

// Speak sets the language. It must be called before any text is shown.
func Speak(l translations.Language) { spoken = l }

func T(t Text, args ...any) string {
	if t == "" {
		return ""
	}
	if len(args) == 0 {
		return spoken.Text(t)
	}
	return fmt.Sprintf(spoken.Text(t), args...)
}

func Sentence(s string) string { return translations.Sentence(spoken, s) }

// Cause translates an error at the end of another sentence. An error without a translation is quoted.
func Cause(s string) string { return translations.Cause(spoken, s) }

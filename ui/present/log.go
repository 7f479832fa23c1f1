package present

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

type LogLine struct {
	Time, Level string
	Message     string
	Detail      string
}

var Levels = []string{"DEBUG", "INFO", "WARN", "ERROR"}

// LogLineOf parses a line in slog's text format. A line in another format becomes the message.
func LogLineOf(s string, now time.Time) LogLine {
	var l LogLine
	var detail []string
	for rest := s; rest != ""; {
		key, after, found := strings.Cut(rest, "=")
		if !found || key == "" || strings.ContainsAny(key, " \"") {
			return LogLine{Message: line(s)}
		}
		var value string
		if quoted, err := strconv.QuotedPrefix(after); err == nil {
			value, _ = strconv.Unquote(quoted)
			rest = strings.TrimPrefix(after[len(quoted):], " ")
		} else {
			value, rest, _ = strings.Cut(after, " ")
		}
		switch {
		case key == "time" && l.Time == "":
			if at, err := time.Parse(time.RFC3339, value); err == nil {
				value = Clock(at, now)
			}
			l.Time = value
		case key == "level" && l.Level == "" && slices.Contains(Levels, value):
			l.Level = value
		case key == "msg" && l.Message == "":
			l.Message = line(capital(value))
		case key == "line" && strings.Contains(value, "msg="): // a line of a worker, passed on by the app
			said := LogLineOf(value, now)
			l.Level, l.Message = cmp.Or(said.Level, l.Level), said.Message
			if said.Detail != "" {
				detail = append(detail, said.Detail)
			}
		default:
			detail = append(detail, key+" "+line(value))
		}
	}
	l.Detail = strings.Join(detail, " · ")
	return l
}

package secret

import (
	"bytes"
	"slices"
	"strings"
)

// look reports whether an expression should run on the text around a keyword.
type look = func(data []byte, start, end int) bool

var quick = map[string]look{
	"twilio-api-key": func(d []byte, start, end int) bool {
		return d[start] == 'S' && d[start+1] == 'K' && hexRun(d[end:], 32)
	},
	"lob-api-key": followedBy(hexRun, 35),
	"sendgrid-api-token": func(d []byte, start, end int) bool {
		return d[start] == 'S' && d[start+1] == 'G' && tokenRun(d[end:], 60)
	},
	"authress-service-client-access-key": followedBy(tokenRun, 40),
	"twitter-bearer": func(d []byte, start, end int) bool { // only once in a run of the same letter
		return (start == 0 || d[start-1]|0x20 != 'a') && tokenRun(d[end:], 60)
	},
	"crates-io-token": followedBy(tokenRun, 32),
	"mailchimp-key":   func(d []byte, start, _ int) bool { return start >= 32 && hexRun(d[start-32:], 32) },
	"resend-api-key":  followedBy(tokenRun, 20),
	"url-password":    urlWithPassword,
	"airtable-pat":    func(d []byte, _, end int) bool { return end+14 < len(d) && d[end+14] == '.' },
	"command-password": func(d []byte, start, _ int) bool { // it has an option
		line := lineFrom(d, start, 300)
		return bytes.Contains(line, []byte(" -")) || bytes.Contains(line, []byte("\"-")) || bytes.Contains(line, []byte("'-"))
	},
	"curl-user": func(d []byte, start, _ int) bool {
		line := d[max(0, start-400):start]
		return bytes.Contains(line[bytes.LastIndexByte(line, '\n')+1:], []byte("curl"))
	},
	"login-pair": func(d []byte, start, end int) bool {
		rest := lineFrom(d, start, 120)
		return bytes.ContainsAny(rest, "0123456789!#$%&*+_-") &&
			(d[start] == '@' || bytes.ContainsAny(d[end:start+len(rest)], ":/,%(") || bytes.Contains(rest, []byte("\" to ")))
	},
	"access-rule": func(d []byte, start, end int) bool {
		return end-start == 7 || (start == 0 || d[start-1] == '\n') && bytes.ContainsAny(lineFrom(d, end, 200), "0123456789")
	},
	"snmp-password": func(d []byte, start, _ int) bool {
		return bytes.Contains(d[max(0, start-200):start], []byte("snmp"))
	},
	"prompted-password": func(d []byte, _, end int) bool {
		rest := upTo(d, end, 100)
		return bytes.Contains(rest, []byte("send")) || bytes.Contains(rest, []byte("rite("))
	},
	"pin-number": func(d []byte, start, end int) bool {
		return end < len(d) && !letter(d[end]) && bytes.ContainsAny(upTo(d, end, 20), "0123456789") &&
			(start == 0 || !letter(d[start-1]) || d[start] == 'P' && d[start-1] >= 'a')
	},
	"short-names": func(d []byte, start, _ int) bool { return start > 0 && !wordByte(d[start-1]) },
}

func followedBy(run func(d []byte, n int) bool, n int) look {
	return func(d []byte, _, end int) bool { return run(d[end:], n) }
}

func upTo(d []byte, at, n int) []byte { return d[at:min(len(d), at+n)] }

func hexRun(d []byte, n int) bool {
	return len(d) >= n && !slices.ContainsFunc(d[:n], func(c byte) bool {
		return (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f')
	})
}

func tokenRun(d []byte, n int) bool {
	return len(d) >= n && !slices.ContainsFunc(d[:n], func(c byte) bool { return !nameByte(c) })
}

func urlWithPassword(d []byte, _, end int) bool {
	colon := false
	for _, c := range upTo(d, end, 200) {
		switch {
		case c == '@':
			return colon
		case c == ':':
			colon = true
		case c <= ' ' || bytes.IndexByte([]byte("\"'/<>`{}()?"), c) >= 0:
			return false
		}
	}
	return false
}

// sameCommand matches up to 200 characters of a shell command, which may have several lines.
const sameCommand = `(?:[^\n|;&]|\\\n){0,200}?`

// word matches a password in a shell command.
const word = `(?:'([^'\n«]{6,64})'|"([^"$\n«]{6,64})"|["']?([^\s"'$|]{6,64}))`

func expand(expr string) string {
	return strings.NewReplacer("{word}", word, "{command}", sameCommand).Replace(expr)
}

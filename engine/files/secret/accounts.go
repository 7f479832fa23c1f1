package secret

import (
	"bytes"
	"path"
	"strings"
)

// Rules for passwords in files that list accounts, and in maps from accounts to passwords.

// accountLines are formats of a line with an account and its password, such as "anna:x".
var accountLines = []struct {
	line *expression
	hint bool // used only in files with names such as "logins.txt"
}{
	{lazily(`^"[^"\s]{1,64}"\s+"([^"\n]{0,128})"$`), false},                                           // PgBouncer
	{lazily(`^(?:\[[\w.:-]+\]|[\w-]+(?:\.[\w-]+)+|@[\w.-]+)(?::\d+)?\s+[^\s:]+:(\S{4,128})$`), false}, // Postfix
	{lazily(`^[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(\S{6,128})$`), false},        // PostgreSQL
	{lazily(`^[\w.@+*-]{1,64}:[^\s:]{1,60}:(\S{6,64})$`), true},                                       // digest
	{lazily(`^[\w.@+-]{1,64}\s?[:=]\s?([^\s:,]{6,64})(?:,\s?[\w -]+)*$`), true},                       // Jetty, Shiro
	{lazily(`^[\w.@+-]{1,64}:(?:\{\w+\})?([^\s:]{6,64})(?::[^\s]*)?$`), true},
	{lazily(`^[\w.@+\\-]{1,64}[ \t]+(?:[\w.*-]+[ \t]+)?"?([^\s"]{6,64})"?(?:[ \t]+\S+)?$`), true},
}

var accountEndings = set("acl", "auth", "users", "passwd", "client", "secrets", "db", "maps", "map")

func (s *search) accountFile() {
	base := strings.ToLower(path.Base(s.key))
	ext := strings.TrimPrefix(path.Ext(base), ".")
	if s.text && listName.MatchString(base) {
		s.below(0, strongCue)
	}
	if !plainEndings[ext] && !accountEndings[ext] ||
		proseEndings[ext] || IsTemplate(base) {
		return
	}
	hint := hints.MatchString(base)
	first := s.data
	for len(first) > 0 {
		line, rest, _ := bytes.Cut(first, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && !vacant.Match(line) {
			break
		}
		first = rest
	}
	line, rest, _ := bytes.Cut(first, []byte("\n"))
	if hint && s.loginFile(len(s.data)-len(first), line, rest) {
		return
	}
	for _, form := range accountLines {
		if form.hint && !hint || len(line) > 300 || !form.line.Match(bytes.TrimSpace(line)) {
			continue
		}
		if found, ok := s.rows(len(s.data)-len(first), form.line); ok {
			for _, f := range found {
				s.password(certain(f.start, f.end))
			}
			return
		}
	}
}

// loginFile finds the password in a file of two lines, an account and a password. VPN clients read such files.
func (s *search) loginFile(at int, line, rest []byte) bool {
	name, pass := bytes.TrimSpace(line), bytes.TrimSpace(rest)
	if len(name) == 0 || len(name) > 64 || len(pass) < 6 || len(pass) > 64 || bytes.ContainsAny(name, " \t=:{<") ||
		bytes.ContainsAny(pass, " \t\n") {
		return false
	}
	a := at + len(line) + 1 + bytes.Index(rest, pass)
	return s.password(certain(a, a+len(pass)))
}

// rows returns the passwords in all lines from offset. ok is false if a line has another format.
func (s *search) rows(offset int, format *expression) (found []span, ok bool) {
	for n := 0; offset < len(s.data) && n < 5*maxRows; n++ {
		end := lineEnd(s.data, offset)
		line := s.data[offset:end]
		if t := bytes.TrimSpace(line); len(t) > 0 && t[0] != '#' && !vacant.Match(t) {
			m := format.FindSubmatchIndex(t)
			if m == nil {
				return nil, false
			}
			a := offset + bytes.Index(line, t) + m[2]
			found = append(found, span{start: a, end: a + m[3] - m[2]})
		}
		offset = end + 1
	}
	return found, true
}

var (
	// mapped matches the text before the first key of a map, such as " = {".
	mapped = lazily(`^[sS]?["']?\]?(?:\[\w*\])?\s*(?::\s*[\w<>\[\], &']{2,40}=|:=|=>|[:=])?\s*(?:[\w.<>,:@\[\] ]{0,40})[{\[(]\s*`)
	// entry matches an account and its password in a map, such as "anna": "x".
	entry = lazily(`^[\s,;({\[]*(?:"([\w.@+ -]{1,60})"|'([\w.@+ -]{1,60})'|([\w.@+-]{1,60}))\]?\s*(?:=>|->|to\b|[:=,])\s*` +
		`(?:"([^"\n]{1,128})"|'([^'\n]{1,128})')[)}\]]?\s*`)
	// member matches an account and its password on a line of a configuration, such as "anna: x".
	member = lazily(`^[ \t]*(?:- )?["']?[\w.@+-]{1,60}["']?[ \t]*[:=][ \t]*` +
		`["']?([^\s"',#][^\s"',]{5,63})["']?[ \t]*(?:,[^\n]*|#[^\n]*)?\r?$`)
	hints = lazily(`passw|pwd|user|auth|cred|login|logon|account|digest|sasl|vpn|secret|realm|virtual|ftp|imap|smtp|chap|ppp|\.acl`)
	// listName matches names of files that list passwords.
	listName  = lazily(`passw|credential|logins?\b|accounts?\b|zugang|zugänge|kennw`)
	granted   = lazily(`(?i)(?:auth|passw|pwd|cred|login)\w*$`)
	vacant    = lazily(`^\S*(?:\]|[\]\w]:\d{2,3})(?:\s+-)?$`) // a server without an account
	twoDigits = lazily(`^[^/:]*[A-Z][^/:]*[0-9]{2}[^/:]*$`)
)

// accounts finds the passwords in a map of accounts, such as passwords = {"anna": "x"}.
func (s *search) accounts(start, end int) {
	d := s.data
	if s.budget < 0 || s.prose || end >= len(d) || bytes.IndexByte([]byte("sS\"'] :=[{"), d[end]) < 0 ||
		!s.config && !bytes.ContainsAny(upTo(d, end, 300), `"'`) {
		return
	}
	line := s.lineBefore(start)
	section := bytes.HasSuffix(line, []byte("["))
	strict := !section && d[end-1]|0x20 == 's' && !granted.Match(line[max(0, len(line)-maxName):])
	judge := func(a, b int) {
		text := d[a:b]
		if strict && !random(text) && !signed.Match(text) && (len(text) < 8 || !twoDigits.Match(text)) ||
			bytes.Count(text, []byte("$")) > 1 {
			return // "$$" indicates a hash
		}
		s.password(value{start: a, end: b, quoted: true, sure: !strict})
	}
	s.budget -= maxName
	if m := mapped.Find(upTo(d, end, 2*maxName)); m != nil {
		at := end + len(m)
		for n := 0; n < maxRows && s.budget > 0; n++ {
			m := entry.FindSubmatchIndex(upTo(d, at, 300))
			if m == nil {
				break
			}
			s.budget -= m[1]
			judge(at+max(m[8], m[10]), at+max(m[9], m[11]))
			at += m[1]
		}
		return
	}
	indent := len(line) - len(bytes.TrimLeft(line, " \t"))
	head := bytes.TrimSpace(lineFrom(d, end, 40))
	key := string(bytes.TrimLeft(head, "s\"'")) == ":" && !bytes.ContainsAny(line[indent:], " \t:=")
	if !s.config || section && string(head) != "]" || !section && !key {
		return
	}
	at := lineEnd(d, end) + 1
	for n := 0; n < maxRows && at < len(d) && s.budget > 0; n++ {
		stop := lineEnd(d, at)
		line := d[at:stop]
		s.budget -= len(line)
		inner := bytes.TrimLeft(line, " \t")
		if len(inner) > 0 && (section && inner[0] == '[' || !section && len(line)-len(inner) <= indent) {
			return
		}
		if m := member.FindSubmatchIndex(line); m != nil && len(line) < 300 {
			judge(at+m[2], at+m[3])
		}
		at = stop + 1
	}
}

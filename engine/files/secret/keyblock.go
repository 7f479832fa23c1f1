package secret

import (
	"bytes"
	"encoding/base64"
	"iter"
	"slices"
	"strconv"
)

// ID and title of private keys.
const (
	ruleKey  = "private-key"
	keyTitle = "private key"
)

var keyPlaces = []place{
	// "-----BEGIN RSA PRIVATE KEY-----" and "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----"
	{[]string{"private key", "private%20key", "private+key"}, (*search).block},
	{[]string{"private-lines:"}, (*search).puttyLines},
	{[]string{"kty"}, (*search).webKey},
	// Base64 of a private key with its BEGIN line.
	{[]string{"ls0tls1crudjtib", "ls0tls1crudjtif", "ls0tls1crudjtip", "ls0tls1crudjtij", "ls0tls1crudjtie",
		"ls0tls1crudjtig"}, (*search).wrapped},
	// Base64 of the first bytes of a private key without a BEGIN line.
	{[]string{"b3blbnnzac1rzxktdje", // openssh-key-v1
		"ibaakbgq", "ibaakcaqea", "ibaakcayea", "ibaakcagea", // PKCS #1 of 1024, 2048, 3072 and 4096 bits
		"ibadanbgkqhkig9w0baqefaasc",              // PKCS #8, RSA
		"ageambmgbyqgsm49ag",                      // PKCS #8, P-256
		"ageambagbyqgsm49ag",                      // PKCS #8, P-384 and P-521
		"mc4caqawbqydk2v",                         // PKCS #8, Ed25519 and X25519
		"mhccaqeei", "migkagebbdb", "mihcagebbei", // SEC 1, P-256, P-384 and P-521
		"bgkqhkig9w0bbq0", // PKCS #8, encrypted
	}, (*search).bare},
}

const (
	// maximum bytes of a private key: 13 KB for RSA with 16384 bits, plus the text before each line
	maxBlock = 32 << 10
	maxLines = 400
	leastKey = 40 // base64 characters of an Ed25519 key, the shortest key
)

func (s *search) addKey(start, end int) {
	s.add(ruleKey, keyTitle, start, end)
	s.keyEnd = max(s.keyEnd, end)
}

// block finds a private key after its BEGIN line. The END line may be missing.
func (s *search) block(start, end int) {
	if start < s.keyEnd {
		return
	}
	d := s.data
	from := max(0, start-48)
	begin := bytes.LastIndex(d[from:start], []byte("BEGIN"))
	if begin < 0 || bytes.IndexByte(d[from+begin:start], '\n') >= 0 {
		return
	}
	head := from + begin
	for n := 0; head > 1 && n < 8 && (d[head-1] == '-' || d[head-1] == ' ' && d[head-2] == '-'); n++ {
		head--
	}
	if head == 1 && d[0] == '-' {
		head = 0
	}
	dash := bytes.Index(d[end:min(len(d), end+16)], []byte("----"))
	if from+begin-head < 4 || dash < 0 {
		return
	}
	body := end + dash
	for body < len(d) && d[body] == '-' {
		body++
	}
	rest := d[body:min(len(d), body+maxBlock)]
	rest, _, _ = bytes.Cut(rest, []byte("-- BEGIN"))
	rest, _, _ = bytes.Cut(rest, []byte("--BEGIN"))
	for _, mark := range []string{"--END", "-- END"} {
		last := bytes.Index(rest, []byte(mark))
		if last < 0 {
			continue
		}
		if material(rest[:last]) < leastKey {
			return // code that searches for keys
		}
		stop := body + last + len(mark)
		for stop < len(d) && stop-body-last < 80 && d[stop] != '-' && d[stop] != '\n' {
			stop++
		}
		for stop < len(d) && d[stop] == '-' {
			stop++
		}
		s.addKey(head, stop)
		return
	}
	if stop := bodyEnd(rest); stop > 0 {
		s.addKey(head, body+stop)
	}
}

func material(text []byte) int {
	sum := 0
	for a, b := range runs(text) {
		if b-a >= 30 && scrambled(text[a:b]) || b-a >= 16 && sum > 0 {
			sum += b - a
		}
	}
	return sum
}

func bodyEnd(text []byte) int {
	end, at, idle := 0, 0, 0
	for n := 0; n < maxLines && at < len(text); n++ {
		line := text[at:lineEnd(text, at)]
		last, long := 0, false
		for a, b := range runs(line) {
			long = long || b-a >= leastKey && scrambled(line[a:b])
			if b-a >= 4 && (long || end > 0) {
				last = b
			}
		}
		switch {
		case long:
			end, idle = at+last, 0
			for end < len(text) && text[end] == '=' {
				end++
			}
		case end > 0:
			if t := bytes.Trim(line, " \t\r\"'+\\,;=#/*n"); len(t) < 80 && allBase64(t) && mixed(t) {
				end = at + len(bytes.TrimRight(line, " \t\r"))
			}
			return end
		default:
			if idle++; idle > 6 { // a header such as Proc-Type
				return end
			}
		}
		at += len(line) + 1
	}
	return end
}

func runs(text []byte) iter.Seq2[int, int] {
	return func(yield func(a, b int) bool) {
		for i, j := 0, 0; i < len(text); i = j {
			j = i + 1
			if !base64Byte(text[i]) || i > 0 && text[i-1] == '\\' && (text[i] == 'n' || text[i] == 'r') {
				continue
			}
			for j < len(text) && base64Byte(text[j]) {
				j++
			}
			if !yield(i, j) {
				return
			}
		}
	}
}

func base64Byte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/'
}

func allBase64(text []byte) bool {
	return !slices.ContainsFunc(text, func(c byte) bool { return !base64Byte(c) && c != '=' })
}

func scrambled(run []byte) bool {
	upper, lower, digits := kinds(run)
	return upper > 0 && lower > 0 && digits > 0
}

func kinds(text []byte) (upper, lower, digits int) {
	for _, c := range text {
		switch {
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		case c >= '0' && c <= '9':
			digits++
		}
	}
	return upper, lower, digits
}

func (s *search) puttyLines(_, end int) {
	line := s.data[end:lineEnd(s.data, end)]
	n, err := strconv.Atoi(string(bytes.TrimSpace(line)))
	if err != nil || n <= 0 || n > maxLines {
		return
	}
	start := min(len(s.data), end+len(line)+1)
	stop := start
	for ; n > 0 && stop < len(s.data); n-- {
		stop = min(len(s.data), lineEnd(s.data, stop)+1)
	}
	if stop > start && s.data[stop-1] == '\n' {
		stop--
	}
	if material(s.data[start:stop]) >= leastKey {
		s.addKey(start, stop)
	}
}

// webKeyPart matches the secret fields of a JSON Web Key.
var webKeyPart = lazily(
	`(?:^|[{,\s])\\{0,3}["']?(?:d|p|q|dp|dq|qi|k)\\{0,3}["']?\s*:\s*\\{0,3}["']([A-Za-z0-9_+/=-]{16,})`)

// webKey finds the secret fields of a JSON Web Key.
func (s *search) webKey(start, end int) {
	d := s.data
	if start == 0 || end >= len(d) || d[start-1] != '"' && d[start-1] != '\'' && !(d[end] == ':' &&
		!wordByte(d[start-1])) {
		return
	}
	if start < s.webEnd {
		return
	}
	lo, hi := max(0, start-maxReach), min(len(d), end+2*maxReach)
	if i := bytes.LastIndexByte(d[lo:start], '{'); i >= 0 {
		lo += i
	}
	if lo < s.keyEnd {
		lo = min(s.keyEnd, start)
	}
	if i := bytes.IndexByte(d[end:hi], '}'); i >= 0 {
		hi = end + i
	}
	s.webEnd = hi
	if s.budget -= hi - lo; s.budget < 0 {
		return
	}
	for _, m := range webKeyPart.FindAllSubmatchIndex(d[lo:hi], -1) {
		if v := d[lo+m[2] : lo+m[3]]; mixed(v) && !example(v) {
			s.addKey(lo+m[2], lo+m[3])
		}
	}
}

type encoded struct {
	start, end int
	text       []byte // without line breaks
}

// encodedAt parses the base64 around the offset at. It continues on the next line of source code.
func (s *search) encodedAt(at, limit int) encoded {
	d := s.data
	e := encoded{start: at}
	for n := 0; e.start > 0 && n < 200 && base64Byte(d[e.start-1]); n++ {
		e.start--
	}
	i := e.start
	for len(e.text) < limit {
		j := i
		for j < len(d) && (base64Byte(d[j]) || d[j] == '=') {
			j++
		}
		e.text, e.end = append(e.text, d[i:j]...), j
		if j-i < leastKey {
			break // last line of the key
		}
		i = j
		for n := 0; n < 80 && i < len(d) && (d[i] <= ' ' || bytes.IndexByte([]byte("\"'+\\,&_;#"), d[i]) >= 0 ||
			d[i] == 'n' && d[i-1] == '\\'); n++ {
			i++
		}
		k := i
		for k < len(d) && k-i < 128 && (base64Byte(d[k]) || d[k] == '=') {
			k++
		}
		// A short line ends the key.
		if k-i < leastKey && (k == i || k < len(d) && d[k] != '\n' && d[k] != '\r' && d[k] != '"' && d[k] != '\'' &&
			d[k] != '\\' || !mixed(d[i:k])) {
			break
		}
	}
	return e
}

func (s *search) wrapped(start, _ int) {
	if start < s.readEnd || !bytes.HasPrefix(s.data[start:], []byte("LS0tLS1CRUdJTi")) {
		return
	}
	e := s.encodedAt(start, maxBlock)
	s.readEnd = e.end
	if first, err := base64.StdEncoding.DecodeString(string(e.text[:min(len(e.text), 64)/4*4])); err != nil ||
		!bytes.Contains(first, []byte("PRIVATE KEY")) {
		return
	}
	s.addKey(e.start, e.end)
}

// bare finds private keys in base64 without a BEGIN line.
func (s *search) bare(start, _ int) {
	if start < s.keyEnd || start < s.readEnd {
		return
	}
	e := s.encodedAt(start, maxBlock)
	s.readEnd = e.end
	if e.start < s.keyEnd || start-e.start > 24 || len(e.text) < 56 {
		return
	}
	first, err := base64.StdEncoding.DecodeString(string(e.text[:32]))
	if err != nil {
		return
	}
	if bytes.HasPrefix(first, []byte("openssh-key-v1")) || first[0] == 0x30 && (bytes.Contains(first[2:10], []byte{2, 1,
		0}) ||
		bytes.Contains(first[2:8], []byte{2, 1, 1, 4}) || bytes.Contains(first[2:], []byte{6, 9, 0x2a, 0x86, 0x48, 0x86,
		0xf7, 0x0d, 1, 5, 13})) {
		s.addKey(e.start, e.end)
	}
}

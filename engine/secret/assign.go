package secret

import (
	"bytes"
	"encoding/binary"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Rules of this file: a name says that its value is a secret.
const (
	rulePassword = "password"
	ruleToken    = "assigned-token"
)

// class is what a name gives away about its value.
type class uint8

const (
	password class = iota + 1 // chosen by people: short, with a digit or a sign
	token                     // made by machines: long and random
)

// secretNames are parts of names to which secrets are assigned, in lower case.
var secretNames = map[string]class{
	"password": password, "passwd": password, "passphrase": password, "pwd": password, "_pass": password,
	"-pass": password, "dbpass": password,
	"passwort": password, "kennwort": password, "passcode": password,
	"secret": token, "token": token, "credential": token, "creds": token, "_auth": token,
	"apikey": token, "api_key": token, "api-key": token, "api key": token, "accesskey": token, "access_key": token,
	"access-key": token,
	"privatekey": token, "private_key": token, "private-key": token, "authkey": token, "auth_key": token,
	"auth-key":   token,
	"signingkey": token, "signing_key": token, "signing-key": token, "encryptionkey": token, "encryption_key": token,
	"encryption-key": token,
	"masterkey":      token, "master_key": token, "master-key": token, "accountkey": token, "account_key": token,
	"account-key": token,
	"hmackey":     token, "hmac_key": token, "sessionkey": token, "session_key": token, "jwtkey": token, "jwt_key": token,
	"licensekey": token, "license_key": token, "license-key": token, "presharedkey": token, "preshared_key": token,
	"deploykey": token, "deploy_key": token, "servicekey": token, "service_key": token, "integrationkey": token,
	"integration_key": token,
	"routingkey":      token, "routing_key": token, "writekey": token, "write_key": token, "app_key": token,
	"appkey":   token,
	"cryptkey": token, "crypt_key": token, "cookiekey": token, "cookie_key": token,
}

// otherTails are what follows such a word in names of something else: password_field, tokenType, secretName. A dollar
// ends the tail.
var otherTails = strings.Fields(`field hash name file path dir url uri type kind header label input id$ ids$ len
	length size count regex pattern policy reset expir ttl prefix suffix endpoint provider store manager error valid
	format class form page title version sha commit digest checksum arn ref$ reference placeholder hint selector message
	msg descr encoding algorithm issuer audience scope index offset pos start end$ begin limit bucket region host port
	user email account_id accountid zone project text$ uuid fingerprint public`)

func otherTail(tail []byte) bool {
	if len(tail) > 0 && (tail[0] == '_' || tail[0] == '-') {
		tail = tail[1:]
	}
	if len(tail) < 2 {
		return false
	}
	for _, w := range otherTails {
		if whole, only := strings.CutSuffix(w, "$"); only && string(tail) == whole || !only && bytes.HasPrefix(tail,
			[]byte(w)) {
			return true
		}
	}
	return false
}

// configEndings are files whose lines are names and values rather than code: what stands there without quotes is a
// value.
var configEndings = set("env", "ini", "cfg", "conf", "cnf", "config", "properties", "yaml", "yml", "toml", "tf",
	"tfvars", "hcl", "sh", "bash", "zsh", "fish", "ps1",
	"bat", "cmd", "txt", "text", "log", "http", "rest", "service", "plist", "xml", "json", "jsonc", "json5", "list",
	"rc", "desktop", "netrc", "nix", "sql", "csv", "dockerfile")

func configFile(key string) bool {
	base := strings.ToLower(path.Base(key))
	ext := strings.TrimPrefix(path.Ext(base), ".")
	return configEndings[ext] || ext == "" || base == "."+ext || strings.HasPrefix(base, "dockerfile") ||
		strings.HasPrefix(base, ".env")
}

// value is what stands behind a name.
type value struct {
	start, end int
	quoted     bool
	spaced     bool // there is space between the sign and an unquoted value
	name       int  // where the name begins
}

const (
	maxName  = 64
	maxTail  = 40
	maxValue = 512
)

// behind reads the assignment in whose name data[start:end] is a part.
func (s *search) behind(start, end int) (v value, ok bool) {
	d := s.data
	v.name = start
	for v.name > 0 && start-v.name < maxName && nameByte(d[v.name-1]) {
		v.name--
	}
	i := end
	for i < len(d) && i-end < maxTail && (wordByte(d[i]) || d[i] == '-') {
		i++
	}
	if i > end && otherTail(bytes.ToLower(d[end:i])) {
		return v, false
	}
	closed := false
	for n := 0; n < 4 && i < len(d) && (d[i] == '"' || d[i] == '\'' || d[i] == '`' || d[i] == '\\' || d[i] == ']'); n++ {
		closed = true
		i++
	}
	i = skipBlank(d, i)
	i = skipType(d, i)
	if i >= len(d) {
		return v, false
	}
	switch c := d[i]; {
	case c == '=' || c == ':' || c == '?' && i+1 < len(d) && d[i+1] == '=':
		for n := 0; n < 3 && i < len(d) && (d[i] == '=' || d[i] == ':' || d[i] == '>' || d[i] == '?'); n++ {
			i++
		}
	case c == ',' && closed, c == '>' && i == end:
		i++
	case c == '-' && i+1 < len(d) && d[i+1] == '>':
		i += 2
	case i > end && v.name >= 2 && d[v.name] == '-' && wordByte(c), closed && c == '(':
		// a flag of a command, --token VALUE, has a space for a sign
		if c == '(' {
			i++
		}
	default:
		return v, false
	}
	sign := i
	i = skipBlank(d, i)
	if i+1 < len(d) && (d[i] == '\r' || d[i] == '\n') { // YAML and JSON may go on in the next line, with a quote
		j := i
		for n := 0; n < 40 && j < len(d) && (d[j] == ' ' || d[j] == '\t' || d[j] == '\r' || d[j] == '\n'); n++ {
			j++
		}
		if j >= len(d) || d[j] != '"' && d[j] != '\'' {
			return v, false
		}
		i = j
	}
	v.spaced = i > sign
	if i+1 < len(d) && (d[i+1] == '"' || d[i+1] == '\'') && bytes.IndexByte([]byte("bruf@$LU("), d[i]) >= 0 {
		i++ // a literal's prefix
	}
	escaped := i+1 < len(d) && d[i] == '\\' && (d[i+1] == '"' || d[i+1] == '\'')
	if escaped {
		i++
	}
	if i < len(d) && (d[i] == '"' || d[i] == '\'' || d[i] == '`') {
		quote := d[i]
		i++
		v.start, v.quoted = i, true
		for i < len(d) && i-v.start <= maxValue && d[i] != '\n' && d[i] != quote {
			if d[i] == '\\' && i+1 < len(d) && d[i+1] != '\n' {
				if escaped && d[i+1] == quote {
					break
				}
				i++
			}
			i++
		}
		v.end = min(i, len(d))
		if v.end < len(d) && d[v.end] != quote && d[v.end] != '\\' {
			return v, false // no end, or too long
		}
		return v, v.end > v.start
	}
	v.start = i
	for i < len(d) && i-v.start <= maxValue && !endsValue(d[i]) {
		i++
	}
	if i-v.start > maxValue {
		return v, false
	}
	for i > v.start && (d[i-1] == '.' || d[i-1] == ':' || d[i-1] == '\\') {
		i--
	}
	v.end = i
	return v, v.end > v.start
}

func nameByte(c byte) bool { return wordByte(c) || c == '-' || c == '.' }

func endsValue(c byte) bool {
	return c <= ' ' || c >= 0x7f || bytes.IndexByte([]byte(`"'`+"`,;<>{}()[]|"), c) >= 0
}

func skipBlank(d []byte, i int) int {
	for n := 0; n < 20 && i < len(d) && (d[i] == ' ' || d[i] == '\t'); n++ {
		i++
	}
	return i
}

// skipType passes a type between name and sign: «password: string = …», «password string = …», «password *string = …».
func skipType(d []byte, i int) int {
	j := i
	if j < len(d) && d[j] == ':' {
		j = skipBlank(d, j+1)
	}
	from := j
	for j < len(d) && j-from < 24 && (wordByte(d[j]) || d[j] == '*' || d[j] == '.' || d[j] == '&') {
		j++
	}
	if j == from {
		return i
	}
	j = skipBlank(d, j)
	if j+1 < len(d) && d[j] == '=' && d[j+1] != '=' {
		return j
	}
	return i
}

// assigned judges the value behind a name that says secret.
func (s *search) assigned(c class, start, end int) {
	v, ok := s.behind(start, end)
	if !ok || s.seen(v.start) {
		return
	}
	text := s.data[v.start:v.end]
	switch {
	case c == password && s.isPassword(text, v):
		s.add(rulePassword, "password", v.start, v.end)
	case s.isToken(text, v):
		s.add(ruleToken, "token", v.start, v.end)
	}
}

// seen reports whether a value was judged before: names have several words.
func (s *search) seen(at int) bool {
	if s.judged == nil {
		s.judged = map[int]bool{}
	}
	was := s.judged[at]
	s.judged[at] = true
	return was
}

// service judges a value by the form that a service's keys have, the service's name being in the name.
func (s *search) service(rules []*rule, start, end int) {
	v, ok := s.behind(start, end)
	if !ok {
		return
	}
	text := s.data[v.start:v.end]
	if len(text) < 12 || !mixed(text) || example(text) {
		return
	}
	for _, r := range rules {
		r.prepare()
		if r.compiled.Match(text) && entropy(text) > max(r.entropy, 3) && !hasStopWord(text) {
			s.add(r.id, r.title, v.start, v.end)
			return
		}
	}
}

// isPassword: a password as people choose them has letters, and digits or signs among them; words alone are names and
// examples.
func (s *search) isPassword(text []byte, v value) bool {
	if len(text) < 6 || len(text) > 128 || !v.quoted && !s.config {
		return false
	}
	var letters, digits, signs, upper int
	for _, c := range text {
		switch {
		case c >= 'a' && c <= 'z':
			letters++
		case c >= 'A' && c <= 'Z':
			letters++
			upper++
		case c >= '0' && c <= '9':
			digits++
		case c <= ' ' || c >= 0x7f || c == '/' || c == '\\' || c == '(' || c == ')' || c == '{' || c == '}' || c == '<' ||
			c == '>' || c == '[' || c == ']':
			return false // a sentence, a path, an expression
		case c != '_' && c != '-' && c != '.' && c != ':' && c != ',':
			signs++
		}
	}
	if letters == 0 || digits+signs == 0 || entropy(text) < 2.2 || example(text) || reference(text) {
		return false
	}
	if digits == 0 && (text[0] == '$' || text[0] == '%' || text[0] == '@' || text[0] == '&' || text[0] == '*' ||
		text[0] == '!' || text[len(text)-1] == '=' || text[len(text)-1] == '?') {
		return false // a variable, a tag, a pointer
	}
	return !hasStopWord(text) && !hasWord(text, weak)
}

// weak are the words of passwords that stand for one in tests and manuals.
var weak = []string{"password", "passwd", "secret", "test", "foo", "bar", "baz", "admin", "user", "1234", "abc",
	"qwerty", "demo", "hello", "pass", "pwd",
	"token", "key", "value", "string", "utf8", "utf-8", "sha1", "sha256", "sha512", "md5", "base64", "oauth", "http"}

// isToken: long, of letters and digits that mean nothing.
func (s *search) isToken(text []byte, v value) bool {
	text = bytes.TrimRight(text, "=")
	least := 16
	if !v.quoted {
		least = 20
	}
	if len(text) < least || len(text) > maxValue || !mixed(text) {
		return false
	}
	var upper, lower, digits, dots, other int
	hex := true
	for _, c := range text {
		switch {
		case c >= 'a' && c <= 'z':
			lower++
			hex = hex && c <= 'f'
		case c >= 'A' && c <= 'Z':
			upper++
			hex = hex && c <= 'F'
		case c >= '0' && c <= '9':
			digits++
		case c == '.':
			dots++
		case c == '_' || c == '-' || c == '+' || c == '/' || c == '=' || c == '~':
			hex = hex && c == '-'
			other++
		case v.quoted && bytes.IndexByte([]byte("!@#$%^&*?:,;|"), c) >= 0:
			hex = false
			other++
		default:
			return false
		}
	}
	switch {
	case digits < 2 || dots > 3 || other > len(text)/3:
		return false
	case !v.quoted && !s.config && (v.spaced || upper == 0 && !hex || lower == 0 && !hex || other > 2 || dots > 0):
		return false // an expression of code
	}
	floor := 3.5
	if hex || len(text) < 24 {
		floor = 3.1
	}
	return entropy(text) > floor && !example(text) && !reference(text) && !hasStopWord(text)
}

// mixed reports letters and digits.
func mixed(text []byte) bool {
	letter, digit := false, false
	for _, c := range text {
		letter = letter || c|0x20 >= 'a' && c|0x20 <= 'z'
		digit = digit || c >= '0' && c <= '9'
	}
	return letter && digit
}

// entropy is Shannon's, in bits a byte.
func entropy(text []byte) float64 {
	if len(text) == 0 {
		return 0
	}
	var count [256]int
	for _, c := range text {
		count[c]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(text))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

var examples = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:` + strings.Join(placeholders, `)|(?:`) + `)`)
})

// exampleWords stand in values that are there to be replaced.
var exampleWords = []string{"example", "xxxx", "your", "changeme", "change_me", "change-me", "placeholder", "dummy",
	"sample", "redacted", "insert", "replace",
	"....", "****", "0123456789", "1234567890", "abcdefgh", markOpen}

// example reports whether a value stands for one.
func example(text []byte) bool {
	if hasWord(text, exampleWords) {
		return true
	}
	run := 1
	for i := 1; i < len(text); i++ {
		if text[i] != text[i-1] {
			run = 1
		} else if run++; run == 7 && (len(text) < 60 || text[i] != 'A') {
			return true // base64 of zeros has many As
		}
	}
	return len(text) < 64 && bytes.IndexByte([]byte("$%{@/"), text[0]) >= 0 && examples().Match(text)
}

// reference reports whether a value names where the secret is: a variable, a template, a call, a version.
func reference(text []byte) bool {
	return bytes.HasPrefix(text, []byte("ENC[")) || bytes.HasPrefix(text, []byte("{cipher}")) || bytes.HasPrefix(text,
		[]byte("arn:")) ||
		bytes.HasPrefix(text, []byte("vault:")) || bytes.HasPrefix(text, []byte("op://")) ||
		bytes.HasPrefix(text, []byte("urn:")) || bytes.HasPrefix(text, []byte("magnet:")) || bytes.HasPrefix(text,
		[]byte("sha256")) ||
		bytes.HasPrefix(text, []byte("sha512")) || bytes.HasPrefix(text, []byte("sha1-")) || bytes.HasPrefix(text,
		[]byte("sha384")) ||
		bytes.Contains(text, []byte("${")) || bytes.Contains(text, []byte("$(")) || bytes.Contains(text, []byte("{{")) ||
		bytes.Contains(text, []byte("://"))
}

func hasWord(text []byte, words []string) bool {
	folded := bytes.ToLower(text)
	for _, w := range words {
		if bytes.Contains(folded, []byte(w)) {
			return true
		}
	}
	return false
}

// stops are the beginnings of the stop words, four bytes each, as a filter of 16 Kbit.
var stops = sync.OnceValue(func() *[256]uint64 {
	var filter [256]uint64
	for _, w := range stopWords {
		h := hash4([]byte(w))
		filter[h>>6] |= 1 << (h & 63)
	}
	return &filter
})

func hash4(b []byte) uint32 { return binary.LittleEndian.Uint32(b) * 2654435761 >> 18 }

// hasStopWord reports whether one of the stop words is a part of a value.
func hasStopWord(text []byte) bool {
	filter := stops()
	folded := bytes.ToLower(text)
	for i := 0; i+4 <= len(folded); i++ {
		if h := hash4(folded[i:]); filter[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		rest := string(folded[i:min(len(folded), i+40)])
		// Sorted: all words that rest begins with stand before it, the longest last.
		n, found := slices.BinarySearch(stopWords, rest)
		if found {
			return true
		}
		for n--; n >= 0 && stopWords[n][:4] == rest[:4]; n-- {
			if strings.HasPrefix(rest, stopWords[n]) {
				return true
			}
		}
	}
	return false
}

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

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
	short                     // a password, where the word stands alone: "pass" in $pass and not in compass
)

// secretNames are parts of names to which secrets are assigned, in lower case.
var secretNames = func() map[string]class {
	m := map[string]class{}
	for c, names := range map[class]string{
		password: `password, passwd, passphrase, pwd, _pass, -pass, dbpass, passwort, kennwort, passcode, pswd,
		senha, contrasena, wachtwoord, motdepasse, mot de passe, wifi key, wifi_key, wlan key, mot_de_passe, storepass,
		keypass, bindpass, smtppass, ftppass, userpass, adminpass, rootpass, requirepass, masterauth, authtok, bindpw,
		rootpw, adminpw, dbpw, _pw, -pw, security_credentials, lozinka, heslo, salasana, losenord, parola, haslo`,
		token: `secret, token, credential, creds, _auth, apikey, api_key, api-key, api key, accesskey,
		access_key, access-key, privatekey, private_key, private-key, authkey, auth_key, auth-key, signingkey,
		signing_key, signing-key, encryptionkey, encryption_key, encryption-key, masterkey, master_key, master-key,
		accountkey, account_key, account-key, hmackey, hmac_key, sessionkey, session_key, jwtkey, jwt_key, licensekey,
		license_key, license-key, presharedkey, preshared_key, deploykey, deploy_key, servicekey, service_key,
		integrationkey, integration_key, routingkey, routing_key, writekey, write_key, app_key, appkey, cryptkey,
		crypt_key, cookiekey, cookie_key`,
		short: `pass, pw, psk, sshpass`,
	} {
		for name := range strings.SplitSeq(names, ",") {
			m[strings.TrimSpace(name)] = c
		}
	}
	return m
}()

// otherTails are what follows such a word in names of something else: password_field, tokenType, secretName. A dollar
// ends the tail.
var otherTails = strings.Fields(`field hash name file path dir url uri type kind header label input id$ ids$ len
	length size count regex pattern policy reset expir ttl prefix suffix endpoint provider store manager error valid
	format class form page title version sha commit digest checksum arn ref$ reference placeholder hint selector message
	msg descr encoding algorithm issuer audience scope index offset pos start end$ begin limit bucket region host port
	user email account_id accountid zone project text$ uuid fingerprint public last date time changed created
	updated ization`)

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

// proseEndings are files of sentences, where an assignment is told rather than made.
var proseEndings = set("md", "markdown", "mdx", "rst", "adoc", "asciidoc", "org", "tex", "html", "htm", "eml", "mbox")

func proseFile(key string) bool {
	return proseEndings[strings.TrimPrefix(strings.ToLower(path.Ext(key)), ".")]
}

// asValue is a value that a rule's expression has found in quotes or behind a flag.
var asValue = value{quoted: true}

// value is what stands behind a name.
type value struct {
	start, end int
	quoted     bool
	spaced     bool // there is space between the sign and an unquoted value
	loose      bool // prose, a comment or a text in code: only what looks like a password is one
	argument   bool // of a call
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
	sets := i < len(d) && d[i] == '(' && s.sets(v.name, i)
	if i > end && otherTail(bytes.ToLower(d[end:i])) && !sets {
		return v, false
	}
	closed := false
	for n := 0; n < 4 && i < len(d) && (d[i] == '"' || d[i] == '\'' || d[i] == '`' || d[i] == '\\' || d[i] == ']'); n++ {
		closed = true
		i++
	}
	named := i
	i = skipBlank(d, i)
	i = skipType(d, i)
	if i >= len(d) {
		return v, false
	}
	if sets {
		v, ok = s.literal(v, i+1)
		v.argument = true
		return v, ok && v.quoted
	}
	if at := s.apart(v.name, named, i, closed); at > 0 {
		return s.literal(v, at)
	}
	switch c := d[i]; {
	case c == '=' || c == ':' || c == '?' && i+1 < len(d) && d[i+1] == '=':
		for n := 0; n < 3 && i < len(d) && (d[i] == '=' || d[i] == ':' || d[i] == '>' || d[i] == '?'); n++ {
			i++
		}
	case c == ',' && closed && !bytes.HasPrefix(bytes.TrimLeft(d[i+1:min(len(d), i+80)], " \t\r"), []byte("\n")),
		c == '>' && (i == end || closed):
		if i++; c == ',' {
			i += max(1, len(argument.Find(d[i:min(len(d), i+32)]))) - 1 // fill_in "Password", with: "x"
		}
	case c == ',' && s.config && d[v.name] == '-' && i == named: // [--password, x]
		i++
	case c == ',' && !s.config && !s.prose: // strcpy(password, "x")
		if v, ok = s.literal(v, i+1); !v.quoted {
			return v, false
		}
		v.loose, v.argument = true, true
		return v, ok
	case c == '-' && i+1 < len(d) && d[i+1] == '>', c == '<' && i+1 < len(d) && d[i+1] == '-':
		i += 2
	case i > end && v.name >= 2 && d[v.name] == '-' && wordByte(c), closed && c == '(':
		// a flag of a command, --token VALUE, has a space for a sign
		if c == '(' {
			i++
		}
	case !closed && i > named && (c == '"' || c == '\'' || c == '`' && s.prose) && !s.inText(v.name):
		// storePassword 'x', WITH PASSWORD 'x'
	case !closed && i > named && s.config && lastWord.Match(d[i:min(len(d), i+maxName)]) &&
		firstWords.Match(s.lineBefore(v.name)): // requirepass x, a line of words as routers and daemons have them
		i += len(level.Find(d[i:]))
	default:
		return v, false
	}
	return s.literal(v, i)
}

// literal reads the value that begins behind a sign.
func (s *search) literal(v value, i int) (value, bool) {
	d, sign := s.data, i
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
	if !s.prose && i < len(d) && (wordByte(d[i]) || d[i] == '$') {
		s.budget -= maxName
		i += max(1, len(otherwise.Find(d[i:min(len(d), i+2*maxName)]))) - 1
	}
	if i < len(d) && (wordByte(d[i]) || d[i] == '[') && bytes.IndexByte(d[i:min(len(d), i+maxName)], '(') > 0 {
		s.budget -= maxName
		if w := wraps.Find(d[i:min(len(d), i+maxName)]); w != nil {
			if j := i + len(w); j < len(d) && (d[j] == '"' || d[j] == '\'' || d[j] == 'b' || d[j] == '&') {
				i = j
			}
		}
	}
	if bytes.HasPrefix(d[i:], []byte("<![CDATA[")) {
		i += len("<![CDATA[")
	}
	if i+1 < len(d) && (d[i+1] == '"' || d[i+1] == '\'') && bytes.IndexByte([]byte("bruf@$LUN("), d[i]) >= 0 {
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
	query := v.name > 0 && (d[v.name-1] == '?' || d[v.name-1] == '&')
	for i < len(d) && i-v.start <= maxValue && !endsValue(d[i]) && (!query || d[i] != '&') {
		i++
	}
	if i-v.start > maxValue {
		return v, false
	}
	if !s.config {
		// Code has expressions where configuration has values: a text's name=value counts, and what a comment says.
		inText := (d[sign-1] == '=' || v.name > 1 && string(d[v.name-2:v.name]) == "${") && !v.spaced && s.inText(v.name)
		v.loose = v.loose || !inText
		if v.loose && !s.prose && !s.inComment(v.name) {
			return v, false
		}
	}
	for i > v.start && (d[i-1] == '.' || d[i-1] == ':' || d[i-1] == '\\') {
		i--
	}
	v.end = i
	return v, v.end > v.start
}

// lineBefore is the line up to a place, its last 512 bytes where it is longer: minified files have lines of a megabyte.
func (s *search) lineBefore(at int) []byte {
	line := s.data[max(0, at-maxValue):at]
	return line[bytes.LastIndexByte(line, '\n')+1:]
}

// inText reports whether a place is within a text in quotes, as far as its line tells.
func (s *search) inText(at int) bool {
	line := s.lineBefore(at)
	return slices.ContainsFunc([]byte("\"'`"), func(q byte) bool { return bytes.Count(line, []byte{q})%2 == 1 })
}

// inComment reports whether a comment begins before a place in its line.
func (s *search) inComment(at int) bool {
	line := bytes.TrimLeft(s.lineBefore(at), " \t")
	return bytes.Contains(line, []byte("// ")) || bytes.HasPrefix(line, []byte("#")) || bytes.HasPrefix(line,
		[]byte("*")) ||
		bytes.HasPrefix(line, []byte("--")) || bytes.HasPrefix(line, []byte("/*")) || bytes.Contains(line, []byte(" # "))
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
	if bytes.HasPrefix(d[j:], []byte("As ")) { // Visual Basic
		j, from = j+3, j+3
	}
	if from == i && i > 0 && d[i-1] > ' ' {
		return i // passwd&num=5000
	}
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
	if c == short && (start > 0 && wordByte(s.data[start-1]) || end < len(s.data) && wordByte(s.data[end])) {
		return
	}
	if s.budget < 0 {
		return
	}
	if c != token {
		if c == password || end-start == 2 || end < len(s.data) && s.data[end] == ':' { // to pass is a verb
			defer s.told(start, end)
		}
		s.column(start, end)
		s.insert(start, end)
	}
	v, ok := s.behind(start, end)
	if !ok || s.judged[v.start] || c != token && s.seen(v.start) {
		return
	}
	text := s.data[v.start:v.end]
	if c == short {
		// Tests pass, and what is passed is told; a field of that name begins its line or has its value in quotes.
		if !v.quoted && len(bytes.Trim(s.lineBefore(v.name), " \t$*-")) > 0 {
			v.loose = true
		}
		if !v.quoted && v.loose && !s.config && !s.prose && !s.inComment(v.name) {
			return
		}
		c = password
	}
	switch {
	case c == password && s.isPassword(text, v):
		s.add(rulePassword, "password", v.start, v.end)
	case !v.argument && s.isToken(text, v):
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

// isPassword judges a value by what it can't be: a path, a sentence, an expression, a name, or what stands for a
// password in tests and manuals. Words are no excuse, since people make their passwords of them.
func (s *search) isPassword(text []byte, v value) bool {
	if len(text) < 6 || len(text) > 128 {
		return false
	}
	var lower, upper, digits, signs, brackets int
	for _, c := range text {
		switch {
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= '0' && c <= '9':
			digits++
		case c == '/' || c == '(' || c == ')':
			brackets++
		case c <= ' ' || c >= 0x7f || c == '\\' || c == '{' || c == '}' || c == '<' || c == '>' || c == '[' || c == ']':
			return false // a sentence, a path, an expression
		case c != '_' && c != '-' && c != '.' && c != ':' && c != ',':
			signs++
		}
	}
	strong := lower > 0 && upper > 0 && digits > 0
	switch {
	case entropy(text) < 2.2 || example(text) || reference(text),
		brackets > 0 && (!strong || !v.quoted || len(text) < 12 || text[0] == '/' || text[len(text)-1] == ')'),
		lower+upper == 0 || digits+signs == 0 && !(v.quoted || s.config) || digits+signs == 0 && !irregular(text),
		v.loose && (len(text) < 8 || !strong && (digits < 2 || signs == 0)),
		lower == 0 && signs == 0,                                                 // a constant's name
		text[0] == '.', !v.quoted && v.end < len(s.data) && s.data[v.end] == '(', // a selector, a call
		digits == 0 && bytes.IndexByte(text, '$') >= 0, // a variable
		digits == 0 && signs > 0 && (lower == 0 || upper == 0 || bytes.ContainsAny(text[:1], "#%@&*!") ||
			bytes.ContainsAny(text[len(text)-1:], "=?!*@:") || bytes.IndexByte(text, '@') >= 0 || !v.quoted && !s.config),
		digits < 2 && signs == 0 && len(text) < 16 && // a name with a number
			!(strong && (v.quoted || s.config || s.prose || v.loose) && (len(text) > 11 || bytes.ContainsAny(text, "_-."))):
		return false
	}
	s.budget -= 8 * len(text)
	return digits+signs == 0 || !standsForPassword(text, s.config)
}

// irregular reports letters that no words are made of: big and small ones change as by chance, which names in camel
// case don't.
func irregular(text []byte) bool {
	runs, big := 1, 0
	for i, c := range text {
		if c >= 'A' && c <= 'Z' {
			big++
		}
		if i > 0 && (c^text[i-1])&0x20 != 0 {
			runs++
		}
	}
	return len(text) >= 10 && big >= 3 && 5*runs >= 3*len(text)
}

// technical are names of algorithms and versions, whose digits say nothing; weak are the words of which tests' and
// manuals' passwords are made.
var (
	yearAndSign       = regexp.MustCompile(`[!#$%&*+?@.](?:19|20)\d\d$|(?:19|20)\d\d[!#$%&*+?@]$`)
	placeholderNumber = regexp.MustCompile(`123|012|111|000`)
	bigAndYear        = regexp.MustCompile(`^[A-Z]\S{5,}(?:19|20)\d\d$`)
	numberAndSign     = regexp.MustCompile(`\d[!#$%&*+?@]|[!#$%&*+?@]\d`)
	technical         = regexp.MustCompile(`^[a-z_\d]+=|^pass:|(?i)utf-?(?:8|16)|sha-?(?:1|2|3|224|256|384|512)|md[45]|base(?:32|58|64)|oauth2?|http2?|` +
		`bcrypt|scrypt|argon2i?d?|pbkdf2|aes-?(?:128|256)?|rsa|x509|:\d[\d.]*$|v\d+(?:\.\d+)*|rfc\d*|int(?:32|64)|i18n|l10n`)
	weak = regexp.MustCompile(`(?i)passw(?:or)?d|passphrase|p[a@4][s$5]{2}w[o0]rd|passcode|secret|credential|test(?:ing|er)?|fake|mock|foo|` +
		`bar|baz|qux|admin|root|user(?:name)?|login|abc(?:d(?:ef?)?)?|xyz|qwerty|letmein|demo|hello|world|hunter2|wrong|` +
		`invalid|valid|correct|incorrect|old|new|temp|my|pass|pwd|some|token|key|value|string|bad|good|default|the|db|postgres|mysql`)
)

// standsForPassword reports whether nothing is left of a value without such words, or nothing but words. A year with a
// sign is what people add to them, and in configuration any number but 123.
func standsForPassword(text []byte, config bool) bool {
	rest := technical.ReplaceAll(text, nil)
	if !bytes.ContainsAny(rest, "0123456789!#$%&*+=?^~|;@") {
		return true
	}
	rest = weak.ReplaceAll(rest, nil)
	letters := 0
	for _, c := range rest {
		if c|0x20 >= 'a' && c|0x20 <= 'z' {
			letters++
		}
	}
	year := yearAndSign.Match(rest) || bigAndYear.Match(text) || config && len(text) > 9 && numberAndSign.Match(rest) &&
		!placeholderNumber.Match(rest)
	return letters < 4 && !year
}

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
	"....", "****", "0123456789", "1234567890", "abcdefgh", strings.TrimSpace(markOpen)}

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

// References begin with such words, or have such signs in them.
var (
	referenceWords = strings.Fields(`ENC[ {cipher} arn: vault: op:// urn: magnet: data: sha256 sha512 sha1- sha384`)
	referenceSigns = strings.Fields(`${ $( {{ ://`)
)

// reference reports whether a value names where the secret is: a variable, a template, a call, a version.
func reference(text []byte) bool {
	return slices.ContainsFunc(referenceWords, func(w string) bool { return bytes.HasPrefix(text, []byte(w)) }) ||
		slices.ContainsFunc(referenceSigns, func(w string) bool { return bytes.Contains(text, []byte(w)) })
}

func hasWord(text []byte, words []string) bool {
	folded := bytes.ToLower(text)
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(folded, []byte(w)) })
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

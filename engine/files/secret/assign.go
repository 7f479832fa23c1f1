package secret

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// Rules that recognize a secret from the name of its variable or field.
const (
	rulePassword = "password"
	ruleToken    = "assigned-token"
	ruleHeader   = "authorization-header"
)

type class uint8

const (
	password class = iota + 1 // a password chosen by a user: short, with a digit or a symbol
	token                     // a generated key: long and random
	short                     // must be a separate word: $pass, not compass
	key                       // other keys: longer than a token
)

var secretNames = func() map[string]class {
	m := map[string]class{}
	for c, names := range map[class]string{
		password: `password, passwd, passphrase, pwd, _pass, -pass, dbpass, passwort, kennwort, passcode, pswd, senha,
		contrasena, contraseña, hasło, пароль, secret word, code word, codeword, bindcredentials, bind_credentials, wachtwoord,
		motdepasse, mot de passe, wifi key, wifi_key, wlan key, wlan-schlüssel, mot_de_passe, storepass, keypass, bindpass, smtppass, ftppass, dnpass,
		authpass, pgpass, security.credentials, ldappass, mailpass, sqlpass, wifipass, loginpass, proxypass, userpass, adminpass, rootpass,
		requirepass, masterauth, rocommunity, rwcommunity, snmp_community, snmp-server community, authtok, bindpw, rootpw, adminpw, dbpw, _pw, -pw, security_credentials, lozinka,
		sharedsecret, shared_secret, shared-secret, shared secret, psksecret, keymaterial, pskkey, psk_key, accesscode, access_code,
		access code, admincode, admin_code, doorcode, door_code, door code, unlockcode, unlock_code, alarmcode, alarm_code,
		heslo, salasana, losenord, parola, haslo, kodeord, adgangskode, lösenord, hemmelighed`,
		token: `secret, token, credential, creds, _auth, apikey, api_key, api-key, api key, accesskey,
		access_key, access-key, privatekey, private_key, private-key, authkey, auth_key, auth-key, signingkey,
		signing_key, signing-key, encryptionkey, encryption_key, encryption-key, masterkey, master_key, master-key,
		accountkey, account_key, account-key, hmackey, hmac_key, sessionkey, session_key, jwtkey, jwt_key, licensekey,
		license_key, license-key, presharedkey, preshared_key, pre-shared-key, pre_shared_key, deploykey, deploy_key, servicekey, service_key,
		integrationkey, integration_key, routingkey, routing_key, writekey, write_key, app_key, appkey, cryptkey,
		crypt_key, cookiekey, cookie_key, secretkey, secret_key, secret-key, secretorkey, aeskey, aes_key,
		api-schlüssel, api schlüssel, zugriffsschlüssel, clé api, clave api, clave de api, _login, -login, .login, -auth`,
		short: `pass, pw, psk, sshpass`,
		key:   `_key, -key`,
	} {
		for name := range strings.SplitSeq(names, ",") {
			m[strings.TrimSpace(name)] = c
		}
	}
	return m
}()

// otherTails are the last words of names without a secret, such as "field" in password_field. A dollar matches the end
// of the name.
var otherTails = strings.Fields(`field hash name file path dir url uri type kind header label input id$ ids$ len
	length size count regex pattern policy reset expir ttl prefix suffix endpoint provider store manager error valid
	format class form page encryption title version sha commit digest checksum arn ref$ reference placeholder hint
	selector strength message msg descr encoding algorithm issuer audience scope index offset pos start end$ begin limit bucket region host port
	user email account_id accountid zone project text$ uuid fingerprint public last date time changed created
	updated ization cookie`)

func otherTail(tail []byte) bool {
	if len(tail) > 0 && (tail[0] == '_' || tail[0] == '-') {
		tail = tail[1:]
	}
	if len(tail) < 2 {
		return false
	}
	return slices.ContainsFunc(otherTails, func(w string) bool {
		whole, only := strings.CutSuffix(w, "$")
		return bytes.HasPrefix(tail, []byte(whole)) && (!only || len(tail) == len(whole))
	})
}

// codeEndings are extensions of source code, in which only strings contain values. All other files count as
// configuration, in which values need no quotes.
var codeEndings = set(strings.Fields(`go py pyi pyx js mjs cjs jsx ts mts cts tsx vue svelte astro rb rake gemspec java kt
	kts scala sc groovy gradle c h cc cpp cxx hpp hh hxx inl m mm swift rs php phtml pl pm t lua luau r jl ex exs eex heex
	erl hrl hs lhs ml mli fs fsx cs cshtml razor vb vbs dart elm clj cljs cljc edn el lisp scm rkt nim zig d pas v sv vhd
	vhdl f90 f sol proto thrift capnp idl graphql gql star bzl bazel pony odin cr tl css scss sass less styl coffee ipynb
	feature po pot svg snap diff patch`)...)

// templateEndings follow the extension of the file that a template or a copy becomes, as in "dovecot.conf.j2".
var templateEndings = set(strings.Fields("j2 jinja jinja2 erb tmpl tpl template in ext dist bak orig old example " +
	"sample default mustache hbs")...)

func configFile(key string) bool {
	base := strings.ToLower(path.Base(key))
	ext := strings.TrimPrefix(path.Ext(base), ".")
	for templateEndings[ext] {
		base = strings.TrimSuffix(base, "."+ext)
		ext = strings.TrimPrefix(path.Ext(base), ".")
	}
	return !codeEndings[ext] && !proseEndings[ext] || base == "."+ext
}

var proseEndings = set("md", "markdown", "mdx", "rst", "adoc", "asciidoc", "org", "tex", "html", "htm", "eml", "mbox")

// IsProse reports whether a file is a text document, such as README.md. Private keys in text documents are examples.
func IsProse(key string) bool {
	base := strings.ToLower(path.Base(key))
	return proseFile(base) || strings.HasPrefix(base, "readme")
}

func proseFile(key string) bool {
	return proseEndings[strings.TrimPrefix(strings.ToLower(path.Ext(key)), ".")]
}

// certain returns a value that must be a password.
func certain(start, end int) value { return value{start: start, end: end, quoted: true, sure: true} }

type value struct {
	start, end int
	quoted     bool
	spaced     bool // space precedes an unquoted value
	loose      bool // in prose, a comment or a string
	argument   bool // an argument of a call
	direct     bool // assigned to a name such as "password"
	part       bool // weak evidence, such as the name "passenger"
	spoken     bool // in a sentence: "the password is x"
	called     bool // first argument of a function such as setPassword
	sure       bool // must be a password, such as the text after an account
	flag       bool // after a flag of a command: --password VALUE
	name       int  // offset of the name
}

const (
	maxOuter = 250
	maxName  = 64
	maxTail  = 40
	maxValue = 512
	maxLink  = 160
)

// assignedTo returns the value that is assigned to a name such as "db_password".
func (s *search) assignedTo(start, end int) (v value, ok bool) {
	d := s.data
	v.name = start
	for v.name > 0 && start-v.name < maxName && nameByte(d[v.name-1]) {
		v.name--
	}
	i := end
	for i < len(d) && i-end < maxTail && (wordByte(d[i]) || d[i] == '-') {
		i++
	}
	if tail := bytes.ToLower(d[end:i]); i > end && otherTail(tail) {
		if field.Match(tail) {
			return s.linked(v, i, true)
		}
		v, ok = s.linked(v, i, false)
		return v, ok && v.called && d[i] == '(' && !compareFuncs.Match(d[v.name:i])
	}
	tail := i
	closed := false
	for n := 0; n < 4 && i < len(d) && (d[i] == '"' || d[i] == '\'' || d[i] == '`' || d[i] == '\\' || d[i] == ']'); n++ {
		closed = true
		i++
	}
	if !closed {
		i += len(indexed.Find(upTo(d, i, 5)))
	}
	named := i
	i = skipBlank(d, i)
	if !closed || i < len(d) && d[i] == ':' {
		i = skipType(d, i)
	}
	if i >= len(d) {
		return v, false
	}
	if at := s.apart(v.name, named, i, closed); at > 0 {
		v.spoken = letter(d[i]) && d[at-1] != '=' && d[at-1] != '>'
		return s.literal(v, at)
	}
	switch c := d[i]; {
	case c == '=' || c == ':' || (c == '?' || c == '!') && i+1 < len(d) && d[i+1] == '=':
		for n := 0; n < 3 && i < len(d) && (d[i] == '=' || d[i] == ':' || d[i] == '>' || d[i] == c); n++ {
			i++
		}
	case c == '>' && (i == end || closed), c == ',' && s.config && d[v.name] == '-' && i == named: // [--password, x]
		i++
	case s.text && i > named && tokenRun(d[i:], 16): // the token 9f8e...
	case c == '.' && i > end && bytes.HasPrefix(d[i:], []byte("...")):
		i += len(d[i:]) - len(bytes.TrimLeft(d[i:], "."))
	case bytes.HasPrefix(d[i:], []byte("->")), bytes.HasPrefix(d[i:], []byte("<-")), bytes.HasPrefix(d[i:], []byte(`\\ `)):
		i += 2
	case i > end && v.name >= 2 && d[v.name] == '-' && wordByte(c):
		v.flag = true
	case !closed && i > named && (c == '"' || c == '\'' || c == '`' && s.prose) &&
		(!s.inText(v.name) || grantsBefore.Match(s.lineBefore(v.name))):
	case !closed && i > named && s.config && lastWord.Match(d[i:min(len(d), i+maxName)]) &&
		firstWords.Match(s.lineBefore(v.name)): // "requirepass x" in a configuration
		i += len(level.Find(d[i:]))
	default:
		return s.linked(v, tail, false)
	}
	if direct, ok := s.literal(v, i); ok {
		return direct, true
	}
	return s.linked(v, tail, true)
}

// linked finds the string after a name in the same statement, such as "x" in getenv("PASSWORD", "x").
func (s *search) linked(v value, i int, strict bool) (value, bool) {
	d := s.data
	if s.prose {
		return v, false
	}
	function := d[v.name:i]
	function = function[bytes.LastIndexByte(function, '.')+1:]
	if readFuncs.Match(function) && bytes.HasPrefix(d[i:], []byte("(")) { // find_password("anna").then_return("x")
		i += 1 + bytes.IndexByte(lineFrom(d, i, 32), ')')
	}
	if line := bytes.TrimRight(lineFrom(d, i, maxLink), " \t\r"); !bytes.ContainsAny(line, "\"'`") &&
		(len(line) == 0 || bytes.IndexByte([]byte("(=|?:{"), line[len(line)-1]) < 0) {
		return v, false
	}
	before := s.lineBefore(v.name)
	if bytes.Contains(before, []byte("expect(")) {
		return v, false
	}
	quote := byte(0)
	for _, c := range before {
		if c == quote {
			quote = 0
		} else if quote == 0 && (c == '"' || c == '\'' || c == '`') {
			quote = c
		}
	}
	if quote != 0 {
		end := bytes.IndexByte(lineFrom(d, i, 32), quote)
		if end < 0 {
			return v, false
		}
		i += end + 1
	}
	at := i
	if quote != 0 && i < len(d) && d[i] == ')' {
		at += max(1, len(steps.Find(upTo(d, i, maxLink)))) - 1
	}
	rest := upTo(d, at, maxLink)
	size := s.link(rest)
	if size == 0 {
		return v, false
	}
	s.budget -= len(rest)
	words := rest[:size]
	property := quote != 0 && bytes.IndexByte(d[v.name:i], '.') >= 0 // "mail.smtp.password"
	firm := (property || setsValue.Match(words) || types.Match(before)) && !another.Match(words)
	v.called = words[0] == '(' && !bytes.ContainsAny(words, ").,")
	if strict && !firm || v.called && readFuncs.Match(function) {
		return v, false
	}
	v, ok := s.literal(v, at+size)
	if ok && d[v.end-1] == '}' {
		v.end -= len(pressed.Find(d[v.start:v.end]))
	}
	v.loose, v.argument, v.sure = !firm && !v.called || compareFuncs.Match(function), true, firm && !v.called
	return v, ok && v.quoted && !(v.loose && file.Match(d[v.start:v.end]))
}

// link returns the length of the text before the next string of the statement, or 0.
func (s *search) link(after []byte) int {
	last, operator, depth := byte(0), false, 0
	for i, c := range after {
		switch c {
		case '"', '\'', '`':
			if operator || i > 0 && setsValue.Match(after[:i]) {
				return i
			}
			return 0
		case ';':
			if depth == 0 {
				return 0
			}
		case '\n':
			if s.config || bytes.IndexByte([]byte("(=|?:{"), last) < 0 ||
				last == ':' && !bytes.HasPrefix(bytes.TrimLeft(after[i:], " \t\r\n"), []byte("return")) {
				return 0
			}
			continue
		case ' ', '\t', '\r':
			continue
		case '{':
			depth++
			operator = true
		case '}':
			depth--
		case '(', ',', '=', ':', '|', '?', '>', '[':
			operator = true
		}
		last = c
	}
	return 0
}

func (s *search) literal(v value, i int) (value, bool) {
	d, sign := s.data, i
	i = skipBlank(d, i)
	if i+1 < len(d) && (d[i] == '\r' || d[i] == '\n') { // in YAML and JSON, the value may be on the next line
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
	if i == sign && i < len(d) && (d[i] == '"' || d[i] == '\'') && !s.config && s.inText(v.name) {
		i += max(1, len(joined.Find(upTo(d, i, 24)))) - 1 // joined strings, such as "Password=" + "x"
	}
	if !s.prose && i < len(d) && (wordByte(d[i]) || d[i] == '$') {
		s.budget -= maxName
		i += max(1, len(fallback.Find(d[i:min(len(d), i+2*maxName)]))) - 1
	}
	if i < len(d) && (wordByte(d[i]) || d[i] == '[') && bytes.IndexByte(d[i:min(len(d), i+maxName)], '(') > 0 {
		s.budget -= maxName
		if w := wraps.Find(d[i:min(len(d), i+maxName)]); w != nil {
			if j := i + len(w); j < len(d) && (d[j] == '"' || d[j] == '\'' || d[j] == 'b' || d[j] == '&') {
				i = j
			}
		}
	}
	i += len(opening.Find(upTo(d, i, 24)))
	if i+1 < len(d) && (d[i] == '{' || d[i] == '[') && (d[i+1] == '"' || d[i+1] == '\'') { // the value is in a list
		i++
	}
	if i+1 < len(d) && (d[i+1] == '"' || d[i+1] == '\'') && bytes.IndexByte([]byte("bruf@$LUN("), d[i]) >= 0 {
		i++ // the prefix of a string, as in b"x"
	}
	operator := i < len(d) && (d[i] == 'q' || d[i] == '%') && (s.config || s.prose)
	if start, end, closed, ok := stringAt(d, i); ok && !operator {
		v.start, v.end, v.quoted = start, end, true
		if end > start && d[start] == '{' {
			v.start += len(scheme.Find(d[start:end])) // {noop}x
		}
		if text, ok := bytes.CutPrefix(d[v.start:v.end], []byte(`\"`)); ok && bytes.HasSuffix(text, []byte(`\"`)) {
			v.start, v.end = v.start+2, v.end-2 // "\"x\""
		}
		return v, closed && v.end > v.start
	}
	v.start = i
	if sign > 0 && d[sign-1] == '>' && d[i-1] != '[' { // text of an XML element
		if size := bytes.IndexAny(upTo(d, i, maxValue), "<\n"); size > 0 && d[i+size] == '<' {
			v.end = i + len(bytes.TrimRight(d[i:i+size], " \t"))
			return v, v.end > v.start
		}
	}
	query := v.name > 0 && (d[v.name-1] == '?' || d[v.name-1] == '&')
	for i < len(d) && i-v.start <= maxValue && (!query || d[i] != '&') &&
		(!endsValue(d[i]) || s.config && d[i] >= 0x80 || foreign(d, i) ||
			d[i] == ';' && entity.Match(d[max(v.start, i-6):i])) {
		i++
	}
	if i-v.start > maxValue {
		return v, false
	}
	if !s.config {
		inText := (d[sign-1] == '=' || v.name > 1 && (string(d[v.name-2:v.name]) == "${" || d[v.name-1] == '/')) &&
			!v.spaced && (s.inText(v.name) || bytes.HasPrefix(d[v.name:], []byte("--")))
		v.loose = v.loose || !inText
		v.flag = v.flag || inText
		v.sure = v.sure || inText && string(d[v.name-2:v.name]) == "${"
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

// stringAt returns the range of the text in the string at i. closed is false if the string has no end on its line.
func stringAt(d []byte, i int) (start, end int, closed, ok bool) {
	escaped := i+1 < len(d) && d[i] == '\\' && (d[i+1] == '"' || d[i+1] == '\'')
	if escaped {
		i++
	}
	if i >= len(d) {
		return 0, 0, false, false
	}
	closer := d[i]
	switch closer {
	case '"', '\'', '`':
		if i++; i+1 < len(d) && d[i] == closer && d[i+1] == closer { // """x"""
			i += 2
		}
	case 'q', '%':
		m := quoteLike.Find(upTo(d, i, 4))
		if i += len(m); m == nil || i == len(d) || d[i] == '"' || d[i] == '\'' {
			return 0, 0, false, false
		}
		if closer = d[i-1]; closer == '(' {
			closer = ')'
		} else if closer != '|' && closer != '!' {
			closer += 2
		}
	default:
		return 0, 0, false, false
	}
	for start = i; i < len(d) && i-start <= maxValue && d[i] != '\n'; i++ {
		switch {
		case d[i] == '\\' && i+1 < len(d) && d[i+1] != '\n':
			if escaped && d[i+1] == closer {
				return start, i, true, true
			}
			i++
		case d[i] == closer && i > start && closer == '\'' && i+2 < len(d) && d[i+1] == closer && nameByte(d[i+2]):
			i++
		case d[i] == closer:
			return start, i, true, true
		}
	}
	return start, min(i, len(d)), i >= len(d), true
}

// lineBefore returns the text of the line before offset.
func (s *search) lineBefore(offset int) []byte {
	line := s.data[max(0, offset-maxValue):offset]
	return line[bytes.LastIndexByte(line, '\n')+1:]
}

func (s *search) inText(at int) bool {
	line := s.lineBefore(at)
	quotes := "\"`'"
	if s.prose { // an apostrophe is not a quote in prose, as in French "l'identifiant"
		quotes = "\"`"
	}
	return slices.ContainsFunc([]byte(quotes), func(q byte) bool { return bytes.Count(line, []byte{q})%2 == 1 })
}

func (s *search) inComment(at int) bool {
	line := bytes.TrimLeft(s.lineBefore(at), " \t")
	return bytes.Contains(line, []byte("// ")) || bytes.HasPrefix(line, []byte("#")) || bytes.HasPrefix(line,
		[]byte("*")) ||
		bytes.HasPrefix(line, []byte("--")) || bytes.HasPrefix(line, []byte("/*")) || bytes.Contains(line, []byte(" # "))
}

var (
	// indexed matches the size of an array, such as [32].
	indexed = lazily(`^\[\w{0,3}\]`)
	// opening matches the text before a value, such as <![CDATA[.
	opening = lazily(`^(?:<!\[CDATA\[|<(?:code|b|strong|kbd|tt)>|\\texttt\{|\$\{\w{1,20}:?[-=]|\(\) => |lambda ?: )`)
	// setsValue matches operators between a name and a string, such as " or ".
	setsValue = lazily(`(?i)\|\||\?[?:]|\b(?:or|by|with|as|text|val|eq|to)\b|=\s*$|env|else|equal|compare|return|type|fill|keys|value|set`)
	another   = lazily(`,\s*\w*?([a-ce-uxyz]\w*|d[a-df-z]\w*|w[a-hj-z]\w*)\s?=\s*$`) // another argument: errors=
	// noun matches the end of a word before "pass", as in "boarding pass".
	noun = lazily(`[a-z] $`)
	// goesWith matches a word after the value, which indicates a sentence.
	goesWith = lazily(`^ [a-z]{3}`)
	// entity matches an escaped character of XML without its semicolon.
	entity  = lazily(`&(?:amp|lt|gt|quot|apos|#\d{2,4})$`)
	pressed = lazily(`\{\w+\}$`) // {enter}
	// steps matches calls such as .clear() that follow a field and precede the call that enters its text.
	steps = lazily(`^\)(?:\s*\.(?:should|and|clear|focus|click|first|last|eq|within)\([^()\n]*\))*\s*\.`)
	field = lazily(`^[_-]?(?:field|input|box|edit)s?$`)
	// grantsBefore matches the SQL before "password", such as CREATE USER anna WITH.
	grantsBefore = lazily(`(?i)\b(?:with|(?:user|role) \S{1,40}|set|encrypted) $`)
	publicKey    = lazily(`(?i)public|publishable|site|host`)
	inConnection = lazily(`(?i)\b(?:user(?: ?name| ?id)?|uid)=[^\s,;&]{1,60}[,;&\s][\w =.;,/:-]{0,80}$`)
	listedUser   = lazily(`(?i)user(?:name)?=[^\s,;&]{1,60}[,;&]$`)
	// chosenNames matches names of secrets that a user may choose.
	chosenNames    = lazily(`(?i)^(?:secret(?:[_-]?(?:or)?[_-]?key)?|credential|(?:jwt|signing|hmac|session|cookie)[_-]?key)$`)
	kubernetesName = lazily(`^[a-z0-9./-]+$`)
	signed         = lazily(`^[^/:(]*(?:\d[^/:(]*[!#$%&*+@][^/:(]*|[!#$%&*+@][^/:(]*\d[^/:(]*)$`)
	joined         = lazily(`^["']\s*(?:[+.&]|\.\.|<>|\|\|)?\s*["']`)
	// scheme matches a prefix of a plain password, such as {noop}.
	scheme = lazily(`^\{(?:noop|plain|clear|cleartext)\}`)
	// quoteLike matches the start of a string in Perl or Ruby, such as q{.
	quoteLike = lazily(`^(?:qq?|%[qQ]?)[{(\[<|!]`)
)

func nameByte(c byte) bool { return wordByte(c) || c == '-' || c == '.' }

func endsValue(c byte) bool {
	return c <= ' ' || c >= 0x7f || bytes.IndexByte([]byte(`"'`+"`,;<>{}()[]|"), c) >= 0
}

// foreign reports whether d[i] belongs to a letter such as "ø".
func foreign(d []byte, i int) bool {
	return d[i] >= 0xc3 && d[i] < 0xe0 || d[i] >= 0x80 && d[i] < 0xc0 && i > 0 && d[i-1] >= 0xc3 && d[i-1] < 0xe0
}

func skipBlank(d []byte, i int) int {
	for n := 0; n < 20 && i < len(d) && (d[i] == ' ' || d[i] == '\t'); n++ {
		i++
	}
	return i
}

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
	for j < len(d) && j-from < 24 && (wordByte(d[j]) || bytes.IndexByte([]byte("*.&[]<>?"), d[j]) >= 0) {
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

func (s *search) assigned(c class, start, end int) {
	part := false
	if c == short && (start > 0 && wordByte(s.data[start-1]) || end < len(s.data) && wordByte(s.data[end])) {
		if start == 0 || s.data[start] > 'Z' || s.data[start-1] < 'a' || end < len(s.data) && wordByte(s.data[end]) {
			return // other words, unlike apiPass
		}
		if bytes.HasSuffix(bytes.ToLower(s.data[max(0, start-3):start]), []byte("add")) {
			return // a method such as addPass
		}
		c, part = password, true
	}
	if s.budget < 0 || endsInPass(s.data[start:end]) && (s.continues(end) ||
		bytes.EqualFold(upTo(s.data, min(len(s.data), end+1), 7), []byte("through"))) {
		return // a word such as passes, passengers or pass-through
	}
	if bytes.HasPrefix(s.data[end:], []byte("-stdin")) { // docker login --password-stdin HOST
		return
	}
	if c == token && bytes.HasSuffix(bytes.ToLower(s.data[max(0, start-9):start]), []byte("checksum/")) {
		return // an annotation of Kubernetes
	}
	if c != token && c != key {
		if end < len(s.data) && s.data[end]|0x20 == 's' {
			s.accounts(start, end)
		}
		s.column(start, end)
		if !otherTail(bytes.ToLower(upTo(s.data, end, maxTail))) {
			s.insert(start, end)
		}
	}
	v, ok := s.assignedTo(start, end)
	if !ok || c == key && (v.end-v.start < minKey || publicKey.Match(s.data[v.name:end])) {
		return
	}
	v.direct, v.part = true, part && !s.config
	text := s.data[v.start:v.end]
	whole := end == len(s.data) || !wordByte(s.data[end])
	v.sure = v.sure || c == password && !v.loose && (whole && (s.config || v.quoted && !v.argument && len(text) > 11) ||
		inConnection.Match(s.lineBefore(v.name)))
	if c == short {
		if before := s.lineBefore(v.name); !v.quoted && len(bytes.Trim(before, " \t$*-")) > 0 {
			v.sure = listedUser.Match(before) // user=anna,pass=x
			v.loose = !v.sure
		}
		if !v.quoted && v.loose && !s.config && !s.prose && !s.inComment(v.name) ||
			v.loose && noun.Match(s.lineBefore(v.name)) && goesWith.Match(lineFrom(s.data, v.end, 8)) {
			return
		}
		c = password
	}
	switch {
	case c == password && s.password(v):
	case c == token && s.isToken(text, v) && (!v.argument || (len(text) > 19 || random(text)) && len(text) < 129 &&
		bytes.Count(text, []byte("-")) != 4): // a UUID
		s.add(ruleToken, "token", v.start, v.end)
	case c == token && s.chosenSecret(start, end, text, v):
	case c == password && s.passphraseAt(start, end, v):
	case !v.argument && s.isToken(text, v):
		s.add(ruleToken, "token", v.start, v.end)
	}
}

var (
	// keyBlock matches names of blocks in which "key" is the name of a password or of a generated key.
	keyBlock = lazily(`(?i)(?:\b|_)(?:jwt|hmac|crypt|encrypt|cipher|aes|signing|wi-?fi|wlan|wireless|wpa|psk)`)
	// tokenBlock matches names of blocks in which "key" is the name of a generated key.
	tokenBlock = lazily(`(?i)(?:\b|_)(?:api|auth|token|secret|session|cookie|licen[cs]e)`)
)

// nestedKey finds the value of the name "key" in a block such as jwt: {key: x}.
func (s *search) nestedKey(start, end int) {
	after := bytes.TrimLeft(upTo(s.data, end, 8), "\"'] \t")
	if s.prose || start == 0 || nameByte(s.data[start-1]) || len(after) == 0 ||
		bytes.IndexByte([]byte(":="), after[0]) < 0 && !(s.config && s.data[end] <= ' ') {
		return
	}
	v, ok := s.assignedTo(start, end)
	if !ok || v.argument || v.loose || v.end-v.start < 8 {
		return
	}
	block, text := s.enclosing(start), s.data[v.start:v.end]
	strong := keyBlock.Match(block)
	v.direct, v.sure = true, true
	if (!strong || !s.password(v)) && s.isToken(text, v) && (strong || tokenBlock.Match(block) ||
		!s.config && keyBlock.Match(upTo(s.data, v.end, maxOuter))) { // key = "x"; aes(key)
		s.add(ruleToken, "token", v.start, v.end)
	}
}

// enclosing returns the name of the block that contains data[at], or the first line of its section or indented block.
func (s *search) enclosing(at int) []byte {
	d, depth, indent := s.data, 0, -1
	for i := at; i >= max(0, at-maxOuter); i-- {
		switch d[i] {
		case '}', ')', ']':
			depth++
		case '{', '(', '[':
			if depth--; depth < 0 {
				name := bytes.TrimRight(d[max(0, i-maxName):i], " \t\r\n:=>\"'([{")
				return name[bytes.LastIndexAny(name, " \t\n,;")+1:]
			}
		}
		if i > 0 && d[i-1] != '\n' || depth > 0 {
			continue
		}
		line := lineFrom(d, i, maxName)
		blank := len(line) - len(bytes.TrimLeft(line, " \t"))
		if indent < 0 {
			indent = blank
		} else if d[i] == '[' || blank < min(indent, len(line)) {
			return line
		}
	}
	return nil
}

// chosenSecret reports whether the value of a name such as "secret" is a password.
func (s *search) chosenSecret(start, end int, text []byte, v value) bool {
	name := s.data[start:end]
	if v.argument || len(text) > 40 || end < len(s.data) && wordByte(s.data[end]) ||
		bytes.HasSuffix(bytes.ToLower(name), []byte("login")) {
		return false
	}
	if upper, lower, digits := kinds(text); upper > 0 && lower > 0 && digits > 0 && len(text) > 9 &&
		(v.quoted || s.config) && (random(text) || digitInWord.Match(text)) {
		return s.password(v)
	}
	if !chosenNames.Match(name) || bytes.HasPrefix(s.data[v.name:], []byte("from")) {
		return false
	}
	ini := s.config && bytes.IndexByte([]byte("=\t "), s.data[end]) >= 0 && v.name == start
	return (ini || s.config && !kubernetesName.Match(text) ||
		v.quoted && (!s.config || random(text) || signed.Match(text))) && s.password(v)
}

// minKey is the length in bytes of the shortest key of 192 bits in base64, such as a Fernet key of 44.
const minKey = 32

// continues reports whether end is in the middle of a word, as after "pass" in "passenger".
func (s *search) continues(end int) bool {
	if end == len(s.data) {
		return false
	}
	last, next := s.data[end-1], s.data[end]
	return next >= 'a' && next <= 'z' || last >= 'A' && last <= 'Z' && next >= 'A' && next <= 'Z'
}

func endsInPass(name []byte) bool {
	name = bytes.ToLower(name)
	return bytes.HasSuffix(name, []byte("pass")) || bytes.HasSuffix(name, []byte("tok"))
}

func (s *search) service(rules []*rule, start, end int) {
	v, ok := s.assignedTo(start, end)
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

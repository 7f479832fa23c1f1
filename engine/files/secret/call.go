package secret

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode"
)

// Rules for passwords in calls, form fields and HTTP headers.

// calls are parts of function names, such as "login". These functions have an account and a password as arguments.
var calls = strings.Fields(`auth login logon signin sign_in connect credential basic( pdo( bind( userpass createuser
	create_user adduser add_user dial( sftp account( pw_set set_password mysqli( sequelize( wifi.begin( softap( session(
	client( .open database( smtp( imap( ftp( ftp_tls( redis( dialer( principalcontext( url.create changepassword
	change_password setpassword usernamepassword createasync create_superuser runas( datasource( saveas networkdrive(
	:basic,`)

// keyCalls are parts of function names, such as "crypt". These functions have a key as an argument.
var keyCalls = strings.Fields(`protect crypt pbkdf2 pkcs12 certificate2 derive frompassword rsa.new jwt.sign(
	jwt.verify( jwt.encode( jwt.decode( createhmac( hmac.new( argon2 hash::check keepass( passphrase( passwordasync(
	fernet( secretkeyspec( signwith( symmetricsecuritykey( sendline( workbookfactory`)

var (
	logins = lazily(`(?i)login|logon|sign_?in|credential|basic|usernamepass|userpass|pdo|auth$|passwordauth|pw_?set$|` +
		`password$|createasync|superuser|runas`)
	// encrypts matches names of functions that encrypt text.
	encrypts = lazily(`(?i)(?:crypt|sendline)$`)
	signs    = lazily(`(?i)^(?:hmac|jwt|createhmac|signwith|symmetricsecuritykey|secretkeyspec)`)
	// cipher matches the names of ciphers, such as "aes-256-cbc".
	cipher = lazily(`(?i)^(?:aes|des|3des|rsa|sha|md5|hmac|chacha|pbkdf|bf|utf|blowfish|camellia|gcm|cbc)|\.\w{1,5}$`)
	// generic matches common function names, such as open and connect. Their second argument is a password only if both
	// arguments are strings.
	generic = lazily(`(?i)(?:session|client|open|database|smtp|imap|ftp|ftp_tls|redis|dialer|context|datasource|connect|dial)$`)
	account = lazily(`^[\w.@+\\=, -]{1,80}$`)
	opened  = lazily(`^(?:new |[&*@$])?(?:\[\]byte\(|[A-Za-z_]\w{0,23}(?:[.:]{1,2}\w{1,20}){0,2}\(|` +
		`([A-Za-z_]\w{0,15})\s?(?:=>|[:=])\s?)?[@bLuNf]?$`)
	// method matches the name of a method, such as ".add" in credentials.add().
	method = lazily(`^\.\w{1,22}\b`)
	// headerName matches names of HTTP headers, such as X-Token.
	headerName = lazily(`^X-[A-Z]`)
	// authScheme matches schemes of HTTP authentication, such as Bearer.
	authScheme = lazily(`^(?i:bearer|basic|digest|negotiate|token)$`)
	// handler matches names of events, such as on-button-press1.
	handler  = lazily(`^[A-Za-z]+(?:[-_.][A-Za-z]+)+\d$`)
	located  = lazily(`/|:.*:|:\d{2,5}$|:$|@[\w-]+\.[\w.-]+$|^@`)
	passName = lazily(`(?i)pass|pwd|pw|secret|with|cred|key`)
)

// span is the range of a string in the arguments of a call. end is 0 for other arguments. other is set for an argument
// such as title="x".
type span struct {
	start, end int
	other      bool
}

const maxCall = 400

// arguments parses the arguments of a call from i. If bare is set, the call has no parentheses. whole reports whether
// the end of the call was found.
func arguments(d []byte, i int, bare bool) (args []span, whole bool) {
	from, depth := i, 0
	var first span
	end := func(at int) { args, first, from = append(args, first), span{}, at }
	limit := min(len(d), i+maxCall)
	for ; i < limit && len(args) < 8; i++ {
		c := d[i]
		switch {
		case c == '"' || c == '\'' || c == '`' || c == 'q' && !wordByte(d[i-1]):
			start, stop, closed, ok := stringAt(d, i)
			if !ok {
				continue
			}
			if first.end == 0 && closed && stop > start {
				if m := opened.FindSubmatch(bytes.TrimLeft(d[from:i], " \t\r\n")); m != nil {
					first = span{start, stop, len(m[1]) > 0 && !passName.Match(m[1])}
				}
			}
			i = stop
			if j := skipBlank(d, i+1); bare && depth == 0 && j > i+1 && j < limit && (d[j] == '"' || d[j] == '\'') {
				end(i + 1) // arguments without commas: connect "host" "app" "x"
			}
		case c == '(' || c == '[' || c == '{':
			depth++
		case (c == ')' || c == ']') && depth == 0, bare && c == '\n' && depth == 0:
			end(i)
			return args, true
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ';':
			end(i)
			return args, false
		case c == ',' && depth == 0:
			end(i + 1)
		}
	}
	if bare && i >= len(d) {
		end(i)
	}
	return args, false
}

// call finds a password in the arguments of a call, such as login("anna", "x").
func (s *search) call(start, end int, key bool) {
	d := s.data
	for n := 0; n < maxName && start > 0 && wordByte(d[start-1]); n++ {
		start--
	}
	if s.prose || rowFile(s.key) || s.budget < 0 || start > 0 && d[start-1] == '"' {
		return
	}
	if d[end-1] == '(' {
		end--
	}
	if bytes.HasPrefix(d[end:], []byte("or")) || end < len(d) && d[end] == 'g' { // authors, authorities, signing
		return
	}
	i := end
	for i < len(d) && i-end < 24 && wordByte(d[i]) {
		i++
	}
	name := d[start:i]
	for n := 0; n < 24 && i < len(d) && (d[i] == '!' || d[i] == '?' || d[i] == ':' || d[i] == '<' || d[i] == '>' ||
		n > 0 && wordByte(d[i])); n++ { // auth::basic, auth<T>
		i++
	}
	if key || bytes.EqualFold(name, []byte("credentials")) {
		i += len(method.Find(upTo(d, i, 24)))
	}
	at := skipBlank(d, i)
	if at > i && at < len(d) && wordByte(d[at]) { // a declaration: Session s("host", "app", "x")
		for n := 0; n < 24 && at < len(d) && wordByte(d[at]); n++ {
			at++
		}
		if at < len(d) && d[at] != '(' {
			return
		}
	}
	bare := false
	switch {
	case at >= len(d):
		return
	case d[at] == '(':
		at++
	case d[at] == '[' && at > i: // {:basic-auth ["anna" "x"]}
		at, bare = at+1, true
	case d[at] == '=' && !key && at+1 < len(d) && d[skipBlank(d, at+1)%len(d)] == '(': // a pair: auth = ("a", "b")
		at = skipBlank(d, at+1) + 1
	case d[at] == ',' && start > 0 && d[start-1] == ':': // a symbol in Ruby: request :basic_auth, "a", "b"
		at, bare = at+1, true
	case at > i && i-end < 24 && (d[at] == '"' || d[at] == '\''): // basic_auth "a", "b"
		bare = true
	default:
		return
	}
	s.budget -= maxName
	args, whole := arguments(d, at, bare)
	if len(args) == 0 {
		return
	}
	s.budget -= args[len(args)-1].end - at
	login, many := logins.Match(name), generic.Match(name)
	for n, a := range args {
		if a.end == 0 || a.other {
			continue
		}
		v := value{start: a.start, end: a.end, quoted: true, loose: n == 0 || n == 1 && !login}
		if signs.Match(name) {
			v.loose, v.sure = false, true
		}
		switch before := args[max(0, n-1)]; {
		case n == 0: // one argument: auth("x")
			text := d[a.start:a.end]
			if !key && (!whole || bare || many || len(args) > 1) ||
				key && encrypts.Match(name) && !random(text) && !signed.Match(text) {
				continue
			}
		case before.end == 0:
			if many && n == 1 {
				continue // open(path, "rb")
			}
			v.loose = v.loose && !key
		case s.address(before):
			if !login && !key {
				continue
			}
		default:
			who := d[before.start:before.end]
			if authScheme.Match(who) {
				continue
			}
			named := account.Match(who)
			if n == 1 && named && bytes.ContainsAny(who, `=@\`) { // bind("cn=a,dc=b", "x")
				v.loose, v.sure = false, true
			}
			v.sure = v.sure || named && (login || n > 1)
		}
		if text := d[a.start:a.end]; !located.Match(text) && !headerName.Match(text) && !(key && cipher.Match(text)) &&
			!(v.loose && handler.Match(text)) {
			s.password(v)
		}
	}
}

var (
	// opens matches the address of a server, such as "db.example:80".
	opens = lazily(`://|^[\w.-]+:\d{2,5}(?:/|$)|^jdbc:|^\{[\w.-]+[:/]`)
	// host matches texts that may be the address of a server, such as "db.example".
	host      = lazily(`^(?:https?://\S+|[\w-]+(?:\.[\w-]+)+)$`)
	service   = lazily(`^(?:admin|root|sa|svc|user|app|service|robot|bot|deploy|ci|sys)\b|user$|admin$`)
	accountID = lazily(`(?i)^(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\w.-]{2,20}\\{1,2}[\w.-]{2,20}|(?:cn|uid)=[^"']+)$`)
	lowerName = lazily(`^[a-z][\w-]{1,40}(?:@[\w.-]+)?$`)
	file      = lazily(`\.[a-z]{1,5}\d?$`)
)

// laterArgument finds the password in a call such as dial("host", "anna", "x").
func (s *search) laterArgument(_, end int) {
	d := s.data
	if s.prose || s.config || s.budget < 0 {
		return
	}
	quote, i, digit, letters := d[end-1], end, false, 0
	for ; i < len(d) && i-end <= 64 && d[i] != quote; i++ {
		switch c := d[i]; {
		case c <= ' ' || c >= 0x7f || c == '/' || c == ':' || c == '\\' || c == '(' || c == '<' || c == '{' || c == '%':
			return
		case c >= '0' && c <= '9':
			digit = true
		case letter(c):
			letters++
		}
	}
	if i-end < 8 || i-end > 64 || !digit || letters < 3 {
		return
	}
	from := max(0, end-maxCall+100)
	s.budget -= maxCall
	open := -1
	for at, depth := end-1, 0; at >= from && open < 0; at-- {
		switch d[at] {
		case ')', ']':
			depth++
		case '(', '[':
			if depth--; depth < 0 {
				open = at
			}
		case ';':
			return
		}
	}
	if open < 0 {
		return
	}
	args, _ := arguments(d, open+1, false)
	address, maybe, accounts := false, false, 0
	for n, a := range args {
		if a.start != end {
			if text := d[a.start:a.end]; a.end > 0 {
				if bytes.IndexByte(text, '@') > 0 {
					accounts++
				}
				web := bytes.HasPrefix(text, []byte("http"))
				address, maybe = address || !web && opens.Match(text), maybe || host.Match(text)
			}
			continue
		}
		who, text := args[max(0, n-1)], d[a.start:a.end]
		for m := n - 2; who.end == 0 && m > 0; m-- { // skip expressions after the account
			who = args[m]
		}
		named := n > 0 && who.end > 0 && !file.Match(text)
		if open >= 0 && d[open] == '[' { // ["anna@example.net", "x"]
			if named && n == 1 && len(args) == 2 && bytes.IndexByte(d[who.start:who.end], '@') > 0 && formOf(text) >= possible {
				s.password(certain(a.start, a.end))
			}
			return
		}
		sure := named && accounts < 2 && accountID.Match(d[who.start:who.end]) &&
			(n > 1 || bytes.IndexByte(d[who.start:who.end], '=') > 0 || random(text) || signed.Match(text) ||
				formOf(text) >= likely)
		// Without the address of a server, the value must look like a typical password.
		sure = sure || named && lowerName.Match(d[who.start:who.end]) && formOf(text) == clear && typical(text)
		if sure || named && n > 1 && lowerName.Match(d[who.start:who.end]) &&
			(address || maybe && (random(text) || signed.Match(text) || service.Match(d[who.start:who.end]))) {
			s.password(certain(a.start, a.end))
		}
		return
	}
}

// typical reports whether text has capitals, small letters, and one or two symbols.
func typical(text []byte) bool {
	signs := 0
	for _, c := range text {
		if bytes.IndexByte([]byte("!#$%&*+?@"), c) >= 0 {
			signs++
		}
	}
	return signs > 0 && signs < 3 && bytes.ContainsFunc(text, unicode.IsUpper) && bytes.ContainsFunc(text, unicode.IsLower)
}

// address reports whether a string is the address of a computer or the name of a file.
func (s *search) address(t span) bool {
	text := s.data[t.start:t.end]
	return bytes.ContainsAny(text, "/:") || bytes.IndexByte(text, '.') >= 0 && bytes.IndexByte(text, '@') < 0
}

var (
	types = lazily(`(?i)(?:fill\w*|\btype|input\w*|enter_?text|type_?text|send_?keys|set_?(?:value|text)|change)` +
		`\s*\([^\n]{0,60}$`)
	lastText = lazily(`["']([^"'\n]{6,128})["'][^"'\n]{0,60}(?:\n[^"'\n]{0,80}){0,4}$`)
	secretly = lazily(`(?i)passw|passphrase|pwd|secur|secret|\bpw\b|\bpin\b|key_?(?:press|board|stroke)`)
	pair     = lazily("[\"'`]([\\w.@+\\\\-]{1,60}):([^\\s\"'`:@/]{6,64})[\"'`]")
	// written matches an account and password that follow "Basic" without base64.
	written = lazily(`^[\w.@+-]{1,60}[: ]([^\s"'<>{}]{6,64})["']?\s*(?:\n|$)`)
)

func (s *search) characters(start, end int) {
	lo := max(0, start-300)
	s.budget -= 300
	if s.data[end-1] == '"' || s.data[end-1] == '\'' { // a loop over the characters of a literal: for c in "…"
		rest := lineFrom(s.data, end, 140)
		size := bytes.IndexByte(rest, s.data[end-1])
		if size < 6 || !secretly.Match(upTo(s.data, end+size, 120)) {
			return
		}
		s.password(certain(end, end+size))
	} else if m := lastText.FindSubmatchIndex(s.data[lo:start]); m != nil {
		s.password(certain(lo+m[2], lo+m[3]))
	}
}

func (s *search) encodes(start, end int) {
	if s.prose || s.budget < 0 {
		return
	}
	lo := max(0, start-200)
	window := s.data[lo:min(len(s.data), end+160)]
	if bytes.Count(window, []byte(":")) == 0 {
		return
	}
	s.budget -= len(window)
	for _, m := range pair.FindAllSubmatchIndex(window, 4) {
		s.password(value{start: lo + m[4], end: lo + m[5], quoted: true, sure: true, part: true})
	}
}

// basic finds the account and password after "Basic" in an HTTP header.
func (s *search) basic(_, end int) {
	d := s.data
	i := end
	for n := 0; n < 8 && i < len(d) && bytes.IndexByte([]byte(" \t\"'+."), d[i]) >= 0; n++ {
		i++
	}
	stop := i
	for stop < len(d) && stop-i < 400 && (base64Byte(d[stop]) || d[stop] == '=' || d[stop] == '-' || d[stop] == '_') {
		stop++
	}
	if stop-i >= 12 && (stop == len(d) || d[stop] != ':') {
		if pass, ok := credentials(d[i:stop]); ok && s.isPassword(pass, certain(0, 0)) {
			s.add(ruleHeader, "authorization", i, stop)
			return
		}
	}
	if lineOf := bytes.ToLower(s.lineBefore(end)); !bytes.Contains(lineOf, []byte("authorization")) {
		return
	}
	s.budget -= maxName
	if m := written.FindSubmatchIndex(upTo(d, end, 140)); m != nil {
		s.password(certain(end+m[2], end+m[3]))
	}
}

// exampleLogin reports whether encoded is base64 of an account and a placeholder.
func exampleLogin(encoded []byte) bool {
	pass, ok := credentials(encoded)
	return ok && !(&search{}).isPassword(pass, certain(0, 0))
}

func credentials(encoded []byte) (pass []byte, ok bool) {
	decoded, err := base64.RawStdEncoding.DecodeString(string(bytes.TrimRight(encoded, "=")))
	if err != nil {
		return nil, false
	}
	if bytes.ContainsFunc(decoded, func(r rune) bool { return r < ' ' || r > '~' }) {
		return nil, false
	}
	name, pass, ok := bytes.Cut(decoded, []byte(":"))
	return pass, ok && len(name) > 0 && len(name) <= 80
}

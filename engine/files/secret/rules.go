package secret

import (
	"bytes"
	"slices"
)

// look reports whether an expression must run on the text around a keyword.
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

// sameCommand matches up to 200 characters of a command, which may continue on the next line.
const sameCommand = `(?:[^\n|;&]|\\\n){0,200}?`

// word matches a password that is an argument of a command. In quotes it may contain spaces.
const word = `(?:'([^'\n«]{6,64})'|"([^"$\n«]{6,64})"|["']?([^\s"'$|]{6,64}))`

// ownRules find passwords and headers by their surroundings.
var ownRules = []*rule{
	{id: "url-password", title: "password",
		expr:     `(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s:@/'"<>]{0,80}:((?:[^\s@/'"<>{}$%\[\]]|%[0-9a-f]{2}){4,120})@[\w.\[-]`,
		keywords: []string{"://"},
		allow: []string{
			`(?i)^(?:pass|password|passwd|pwd|secret|user|username|admin|root|test|token|postgres|guest|mysql|foo|bar|\d{1,5}|[a-z]{1,9}|(?-i:[A-Z_]+)|:.*)$|pass|example|\*\*`}},
	{id: ruleHeader, title: "authorization", expr: `(?i)authorization["']?\]?\s{0,3}[:=,]\s{0,3}["'` + "`" +
		`]?(?:basic|bearer|token|apikey)\s+([\w.~+/=-]{16,})`,
		entropy: 3.2, keywords: []string{"authorization"}},
	{id: "curl-user", title: "password", expr: `[\s"'](?:-u|-U|--user|--proxy-user)["', =]{1,4}[^\s:"'$]{1,80}:([^\s"'$<{]{6,120})["']?(?:[\s,]|$)`,
		entropy: 2.5, keywords: []string{" -u ", `"-u", "`, "'-u', '", " --user ", " --user=", "--proxy-user "}, allow: []string{`(?i)pass|secret|token|^\W`}},
	{id: "bearer-token", title: "token", expr: `(?i)\bbearer\s+([\w.~+/=-]{24,})`, entropy: 3.8,
		keywords: []string{"bearer "}, allow: []string{`^[A-Za-z._/-]+$`}},
	{id: "xml-password", title: "password",
		expr: `(?i)(?:key|name)="(?:cleartext)?(?:password|userpwd)"\s*value="([^"$%{]{6,200})"`, entropy: 2,
		keywords: []string{"password\"", "userpwd"}},
	{id: "connection-password", title: "password",
		expr: `(?i);\s*(?:password|pwd)\s*=\s*([^;"'\s<>{}$%]{6,100})(?:[;"'\s]|$)`, entropy: 2.2,
		keywords: []string{"password=", "pwd=", "password ="},
		allow:    []string{`(?i)pass|your|secret|^\W`}},
	{id: "mnemonic", title: "recovery phrase",
		expr:     `(?i)(?:mnemonic|seed[_ -]?phrase|recovery[_ -]?phrase|secret[_ -]?phrase)["']?\s{0,3}(?::=|[:=])\s{0,3}["']?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b`,
		keywords: []string{"mnemonic", "phrase"}},
	{id: "postgres-password", title: "password", chosen: true, keywords: []string{":5432:", ":*:"},
		expr: `(?m)^[\w.*-]{1,100}:(?:5432|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(\S{6,128})$`},
	{id: "plain-scheme", title: "password", chosen: true, keywords: []string{"{plain}", "{clear}", "{cleartext}"},
		expr: `(?i)\{(?:plain|clear(?:text)?)\}([^\s:"']{6,64})`},
	{id: "sql-password", title: "password", chosen: true,
		keywords: []string{"identified ", "sp_addlogin ", "sp_password "},
		expr: `(?i)sp_(?:addlogin|password)\s{1,9}(?:N?'[^'\n]{1,60}'|NULL),\s{0,9}N?'([^'\n]{6,128})'|` +
			`identified\s{1,9}(?:with\s{1,9}\S{1,60}\s{1,9})?by\s{1,9}(?:password\s{1,9})?["']([^'"\s]{6,128})["']|` +
			`(?:user|role|to)\s{1,9}\S{1,60}\s{1,9}identified\s{1,9}by\s{1,9}([^'"\s;%]{6,64})`},
	{id: "command-password", title: "password", chosen: true,
		expr: `\b(?:mysql\w*|mariadb\S*)\b` + sameCommand + `[\s"']-p(?:["'], ?["']|["']?)([^\s"'-][^\s"']{5,127})|(?:_mysql\w*|docker login|podman login|registry login|redis-cli|sqlcmd|mongo\w*|htpasswd|smbclient|ldap\w+|` +
			`oc login|az login|cf login|unzip|zip|7z|plink|pscp|psftp|psexec|xfreerdp|rdesktop|mosquitto_\w+|ipmitool|ftp|sshpass|openssl|keytool|sqlplus|bcp)\b` + sameCommand + `[\s"']-(?:p|P|w|a|pw|k)(?:["'], ?["']|[ =]?["']?)([^\s"'-][^\s"']{5,127})`,
		keywords: []string{"mysql", "mariadb", "docker login", "podman login", "registry login", "redis-cli", "sqlcmd",
			"mongo", "htpasswd", "smbclient", "ldap", "oc login", "az login", "cf login", "zip -", "7z ", "plink",
			"pscp", "psexec", "xfreerdp", "rdesktop", "mosquitto_",
			"ipmitool", "bcp "}},
	{id: "hashed-password", title: "password", chosen: true,
		keywords: []string{"bcrypt", "argon2", "hashpw", ".tochararray", "forkey:"},
		expr: `(?i)\b(?:\w{0,20}_)?(?:bcrypt|argon2|hashpw)\w*(?:(?:\.|::|->)\w+)?\(\s*b?["']([^"'\n]{6,128})["']|"([^"\n]{6,128})"\.toCharArray|` +
			`["']([^"'\n]{6,128})["'],\s*forKey:\s*["'][\w.-]*(?:passw|pwd)`},
	{id: "secure-string", title: "password", chosen: true, keywords: []string{"convertto-securestring"},
		expr: `(?i)convertto-securestring\s+(?:-\w+\s+){0,3}["']([^"'\n]{6,128})["']|["']([^"'\n]{6,128})["']\s*\|\s*convertto-securestring`},
	{id: "login-pair", title: "password", chosen: true, // in the formats name:password and name/password
		quick: func(d []byte, start, end int) bool {
			rest := lineFrom(d, start, 120)
			return bytes.ContainsAny(rest, "0123456789!#$%&*+_-") &&
				(d[start] == '@' || bytes.ContainsAny(d[end:start+len(rest)], ":/,%(") || bytes.Contains(rest, []byte("\" to ")))
		},
		keywords: []string{"login[", "login:", "login =", "login := ", "cred ", "cred =", "admin =", "admin:",
			"userpwd", "auth\"", "auth'", "auth=", "auth:", "auth =", "creds", "credentials", "login=",
			"userpass", "thin:", "btoa(", "b64encode(", "base64_encode(",
			"stats auth ", "sqlplus ", "impdp ", "expdp ", "@tcp(", "@unix(", ":1521"},
		expr: `(?i)(?:(?:userpwd|auth|creds|credentials|login|userpass)["']?\]?\s?(?:=>|[:=,]){1,2}\s?["']?|stats auth |thin:|(?:sqlplus|impdp|expdp)(?: -\w{1,20}){0,4} )` +
			`[\w.@-]{1,40}[:/]([^\s"'@/:,;]{6,64})(?:["'@\s,;]|$)|["'=\s][\w.-]{1,40}:([^\s"'@/:]{6,64})@(?:tcp|unix)\(|` +
			`["'=\s][\w.-]{1,40}/([^\s"'@/:]{6,64})@[\w.-]{1,80}:\d{2,5}\b|` +
			`(?:btoa|b64encode|base64_encode)\(b?["'][\w.@-]{1,40}:([^\s"'@/:]{6,64})["']|` +
			`(?:auth|creds?|credentials?|login|admin)\w{0,12}["']?(?:\[\d*\])?(?:\s?:[^=\n]{1,30})?\s?(?:=>|:?=|:)\s?(?:[\w\[\]<>.]{0,20}[\[({])?\s?["']?` +
			`[\w.@-]{1,60}["']?(?:\s?(?:,|to|->)\s?|\s)["']([^\s"']{6,64})["']|%[wW]\[[\w.@-]{1,60} ([^\s\]]{6,64})\]`},
	{id: "input-password", title: "password", chosen: true, // as an argument or the input of a command
		keywords: []string{"password-stdin", "sudo -s", "passwd --stdin", "-passin", "-passout", "/user:", "net user ",
			"/pass:", "htpasswd", "send \"", "/rp ", "smbclient", "lftp", "| cryptsetup", "| kinit", "| gpg", "| passwd",
			"| vncpasswd", "| ssh-add", "| su ", "| smbpasswd", "password-command", "password_command", "passcommand"},
		expr: `(?i)(?:echo|printf|yes|<<<)(?: -n| -e){0,3} ` + word + `(?:\\n[^"'\n|]{0,40})?["']?(?:[;)][^\n|]{0,60})?(?: {0,9}\|[^\n]{0,80}(?:password-stdin|sudo -s|--stdin|\b(?:cryptsetup|kinit|gpg|(?:smb)?passwd|vncpasswd|ssh-add|su) )|\s{0,9}$)|` +
			`pass(?:word)?[-_]?command["' :=]{1,4}echo ` + word + `|htpasswd -\w{0,9}n\w{0,9} \S{1,80} ` + word + `|` +
			`(?:sudo -S|stdin)[^\n]{0,60}<<< ?` + word + `|-pass(?:in|out) ["']?pass:([^\s"']{6,64})|` +
			`net use \S{1,80} (?:\\\\\S{1,80} )?([^\s/\\]{6,64}) /user:|/user:\S{1,80} ([^\s/\\]{6,64})|net user \S{1,80} ` + word + `|` +
			`/(?:pass|rp)[: ]` + word + `|htpasswd -\w{0,9}b\w{0,9} \S{1,80} \S{1,80} ` + word + `|(?:smbclient|lftp)[^\n]{0,80} -(?:U|u) ["']?[\w.\\/]{1,40}[%,]` + word + `|send (?:-- )?"([^\s"\\]{6,64})\\[rn]"`},
	{id: "unix-password", title: "password", chosen: true, keywords: []string{"chpasswd"},
		expr: `[\w.-]{1,40}:([^\s"':|]{6,128})["']?\s*\|\s*(?:sudo\s+)?chpasswd|chpasswd[^\n]{0,20}<<< ?["']?\w{1,40}:([^\s"']{6,64})|chpasswd:\s{1,20}(?:\w+: \w+\s{1,20})?list: ?\|?[\s"-]{1,20}\w{1,40}:(\S{6,64})`},
	{id: "access-rule", title: "password", chosen: true, keywords: []string{"user ", "setuser"}, // for Redis and ftp
		expr: `(?im)(?:^user|setuser["',]*)\s{1,9}["']?[\w.-]{1,40}["',]*\s[^\n]{0,120}?[\s"']?>([^\s"'<>|&;]{6,64})|` +
			`^\s{0,9}user [\w.@-]{1,40} ([^\s;|"']{6,64})\s{0,9}$`,
		quick: func(d []byte, start, end int) bool {
			return end-start == 7 || (start == 0 || d[start-1] == '\n') && bytes.ContainsAny(lineFrom(d, end, 200), "0123456789")
		}},
	{id: "joined-url", title: "password", chosen: true, // "://app:" + "x" + "@host"
		keywords: []string{`:" + "`, `:' + '`, `:" . "`, `:' . '`, `:" & "`},
		expr:     `[\w.%+-]:["'] ?[+.&] ?["']([^"'\n]{6,100})["']\s{0,9}[+.&]\s{0,9}["']@`},
	{id: "auth-command", title: "password", chosen: true, keywords: []string{`auth", "`, `auth', '`}, // for Redis
		expr: `(?i)["']auth["'], ?(?:["'][^"'\n]{1,40}["'], ?)?["']([^"'\n]{6,128})["']`},
	{id: "ipsec-secret", title: "password", chosen: true, keywords: []string{": eap ", ": xauth ", ": psk "},
		expr: `(?i): (?:eap|xauth|psk) "([^"\n]{6,128})"`},
	{id: "snmp-password", title: "password", chosen: true, keywords: []string{" -a ", " -x "},
		expr: `\s-[AX] ` + word,
		quick: func(d []byte, start, _ int) bool {
			return bytes.Contains(d[max(0, start-200):start], []byte("snmp"))
		}},
	{id: "robot-password", title: "password", chosen: true,
		keywords: []string{"input password ", "input text ", "login  ", "user  ", "password}  ", "pass}  "},
		expr:     `(?im)\$\{\w{0,20}pass\w{0,20}\}\s{2,9}(\S{6,64})\s{0,9}$|^\s{0,8}[\w ]{0,20}log ?in[\w ]{0,12}\s{2,9}[\w.@-]{1,40}\s{2,9}(\S{6,64})\s{0,9}$|input (?:password\s{2,9}\S{1,60}|text\s{2,9}\S{0,40}(?:pass|pwd|pw)\S{0,20})\s{2,9}(\S{6,64})\s{0,9}$`},
	{id: "format-url", title: "password", chosen: true,
		keywords: []string{"%s:%s@", "{}:{}@", "{0}:{1}@", "password=%s", "password={}"},
		expr: "password=(?:%s|\\{\\})[^\"'\\n]{0,80}[\"'](?:\\s*[,%]\\s*|\\.format)\\(?" +
			"(?:[\\w.\"']{1,40}\\s*,\\s*){0,4}[\"']([^\"'\\n]{6,100})[\"']|" +
			"(?:%s:%s|\\{\\w?\\}:\\{\\w?\\})@[^\\n\"'`]{0,120}[\"'`]\\s*(?:%|\\.format|,)?\\s*\\(?\\s*" +
			"(?:[\"'`][^\"'`\\n]{1,60}[\"'`]|[\\w.\\[\\]]+)\\s*,\\s*[\"'`]([^\"'`\\n]{6,100})[\"'`]"},
	{id: "tool-password", title: "password", chosen: true, // as an argument after an account
		keywords: []string{"rabbitmqctl", "alias set ", "config host add ", "http -a", "https -a", " --auth ", " --auth=",
			"mysqladmin ", "user-secrets set ", "wpa_passphrase ", "snmpwalk ", "snmpget ", "snmpset ", "xfreerdp", "<(echo",
			"<(printf", "createuser ", "ssh-keygen ", "dev wifi connect ", "openssl enc",
			"redis-cli ", "+login ", "impacket-", "psexec", "wmiexec", "smbexec",
			"secretsdump", "openssl passwd", "kinit ", "kadmin ", "vncpasswd ", " ab -a", " hey -a"},
		expr: `(?i)rabbitmqctl [^\n]{0,60}?(?:add_user|change_password|authenticate_user) \S{1,60} ` + word + `|` +
			`(?:alias set|config host add) \S{1,40} \S{1,120} \S{1,60} ` + word + `|` +
			`(?:\b(?:https?|ab|hey|xh)\b[^\n|;]{0,80}? (?:-a|-A)|\s--auth)[ =]["']?[\w.@+-]{1,60}:([^\s"']{6,64})|` +
			`redis-cli [^\n|;]{0,80}\bauth (?:[a-z]\w{0,40} )?` + word + `|\+login \S{1,40} ` + word + `|` +
			`(?:impacket-|psexec|wmiexec|smbexec|secretsdump)[^\n|;]{0,80}\b[\w.-]{1,40}:([^\s"'@]{6,64})@|` +
			`mysqladmin [^\n|;]{0,80} password ` + word + `|` +
			`user-secrets set ["']?[\w:.-]{0,40}(?:passw|pwd|secret|key)[\w:.-]{0,20}["']? ` + word + `|` +
			`wpa_passphrase ["']?[^\n"']{1,32}["']? ` + word + `|snmp\w+ [^\n|;]{0,120} -c ` + word + `|createuser [\w.-]{1,40} (?:md5|sha[\w-]*) ` + word + `|` +
			`xfreerdp[^\n]{0,160} /p:` + word + `|<\((?:echo|printf)(?: -n| -e)? ` + word + `["']?\)|` +
			`ssh-keygen [^\n|;]{0,80} -N ` + word + `|dev wifi connect ["']?[^\n"']{1,32}["']? password ` + word + `|` +
			`openssl enc [^\n|;]{0,80} -k ` + word + `|kinit [^\n|;]{0,60}<<< ?` + word + `|` +
			`openssl passwd -\w{1,9} ` + word + `|kadmin [^\n|;]{0,80} -w ` + word + `|` +
			`vncpasswd [^\n|;]{0,40}<<< ?` + word + ``},
	{id: "prompted-password", title: "password", chosen: true, keywords: []string{"assword", "passphrase"}, // for expect
		quick: func(d []byte, _, end int) bool {
			rest := upTo(d, end, 100)
			return bytes.Contains(rest, []byte("send")) || bytes.Contains(rest, []byte("rite("))
		},
		expr: `(?i)(?:assword|passphrase)[^\n]{0,20}["'}/)][^\n]{0,12}\n?[^\n"']{0,24}(?:send|write)\w{0,8}[\s(]{1,2}(?:-- )?b?["']([^"'\\\n]{6,64})(?:\\[rn]){0,2}["']`},
	{id: "short-names", title: "password", chosen: true, keywords: []string{`p: "`, "p: '", `p="`, "p='", `p == "`, "p == '",
		"p === '"},
		quick: func(d []byte, start, _ int) bool { return start > 0 && !wordByte(d[start-1]) },
		expr: `\b(?:u|usr|user|login)["']?\s?[:=]\s?["'][\w.@-]{1,60}["'],?\s?["']?p["']?\s?[:=]\s?["']([^"'\s]{6,64})["']|` +
			`(?i)(?:auth|login|strategy|user)[^\n]{0,120}\bp\s?={2,3}\s?["']([^"'\s]{6,64})["']`},
	{id: "flag-password", title: "password", chosen: true, keywords: []string{`"-p", "`, "'-p', '", `"-w", "`, "'-w', '"},
		expr: `["'](?:-u|-U|-D|--user\w*|login)["'][^\n]{0,120}["']-[pPw]["'],\s?["']([^"'\s]{6,64})["']`},
	{id: "stored-password", title: "password", chosen: true, keywords: []string{"secret set ", "put-parameter ",
		"encrypt_string ", "mkpasswd ", "user add ", "user create ", "passwd ", "rpcclient ", "net rpc ", "net ads "},
		expr: `(?i)(?:secret set|put-parameter) [^\n]{0,160}--(?:value|body)[ =]` + word + `|` +
			`encrypt_string ["']([^"'\n]{6,64})["']|mkpasswd (?:-\S+ (?:[a-z]\S* )?){0,3}["']?([^\s"'$-]{6,64})|` +
			`\bmc admin user add \S{1,40} \S{1,40} ` + word + `|influx user create [^\n]{0,80} -p ` + word + `|` +
			`passwd [\w.-]{1,32} <<-?["']?\w{1,16}["']?\n([^\s$]{6,64})\n|` +
			`(?:rpcclient|net (?:rpc|ads)) [^\n|;]{0,80}-U ["']?[\w.\\/]{1,40}%([^\s"'$]{6,64})`},
	{id: "ssh-password", title: "password", expr: `\bsshpass[^\n-]{1,20}-p(?:\s?'([^'\n]{4,80})'|\s?"([^"$\n]{4,80})"|[\s"',]{0,4}([^\s"'$,]{4,80}))`, keywords: []string{"sshpass"}},
	{id: "netrc-password", title: "password", expr: `(?m)^\s*machine\s+\S+\s+login\s+\S+\s+password\s+(\S{4,200})`,
		keywords: []string{"machine "}},
}

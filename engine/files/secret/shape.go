package secret

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

const headSize = 8 << 10

// StoreKind returns the kind of a file that is meant to store secrets, such as "Kubernetes Secret", or "" for other
// files.
func StoreKind(key string, data []byte) string {
	head := data[:min(len(data), headSize)]
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	base := strings.ToLower(path.Base(key))
	ext := strings.TrimPrefix(path.Ext(base), ".")
	first, _, _ := bytes.Cut(head, []byte("\n"))
	if len(first) == 0 {
		first = []byte("\n")
	}
	trimmed := bytes.TrimLeft(head, " \t\r\n")
	if len(trimmed) == 0 {
		return ""
	}
	switch {
	case strings.HasPrefix(base, ".yarnrc") && bytes.Contains(data, []byte("npmAuth")):
		return "package registry's credentials"
	case (base == ".mcp.json" || base == "mcp.json" || base == "claude_desktop_config.json" ||
		base == "mcp_config.json") && serverValues.Match(data):
		return "MCP servers' environment"
	case bytes.HasPrefix(first, []byte("# Netscape HTTP Cookie File")), bytes.HasPrefix(first,
		[]byte("# HTTP Cookie File")):
		return "cookies"
	case export(first):
		return "password manager's export"
	case trimmed[0] == '{' || trimmed[0] == '[':
		return jsonHolder(head)
	case trimmed[0] == '<':
		return xmlHolder(head)
	case bytes.HasPrefix(first, []byte("$ANSIBLE_VAULT;")):
		return "Ansible vault"
	case bytes.HasPrefix(first, []byte("age-encryption.org/")), bytes.HasPrefix(first,
		[]byte("-----BEGIN AGE ENCRYPTED FILE")):
		return "file encrypted by age"
	}
	if manifestEndings[ext] && (bytes.Contains(head, []byte("kind:")) || bytes.Contains(data, []byte("\nkind: Secret"))) {
		if h := kubernetes(data); h != "" {
			return h
		}
	}
	// Search for plain words first, because running all expressions takes much longer.
	has := func(word string) bool { return bytes.Contains(head, []byte(word)) }
	switch {
	case first[0] == ':' && historyLine.Match(first), bytes.HasPrefix(first, []byte("- cmd: ")),
		first[0] == '#' && historyStamps.Match(head):
		return "shell history"
	case accountLine.Match(first):
		return "password file"
	case has("PrivateKey") && has("[Interface]") && wireGuard.Match(head):
		return "WireGuard configuration"
	case (has("aws_secret_access_key") || has("aws_session_token")) && profile.Match(head):
		return "cloud credentials"
	}
	if plainEndings[ext] || base == "."+ext {
		return lines(key, head)
	}
	return ""
}

var plainEndings = set("", "txt", "text", "env", "list", "lst", "bak", "old", "backup", "orig", "save", "conf", "cfg",
	"cnf", "ini", "properties", "vars", "local",
	"production", "prod", "staging", "dev", "development", "pgpass", "netrc", "md", "org", "rtf", "note", "notes")

// manifestEndings are the extensions of Kubernetes manifests.
var manifestEndings = set("", "yaml", "yml", "txt", "conf", "tpl", "tmpl", "j2", "config", "bak")

var (
	// historyLine matches a line of zsh's history with timestamps.
	historyLine = lazily(`^: \d{9,11}:\d+;`)
	// historyStamps matches bash's history with timestamps.
	historyStamps = lazily(`\A(?:#\d{10}\n[^\n]*\n){2}`)
	// accountLine matches a line of a password file, such as htpasswd.
	accountLine = lazily(`^[\w.@-]{1,64}:(?:\$(?:apr1|1|2[abxy]|5|6|7|y|argon2\w*)\$|\{SHA\})[^\s:]{10,}`)
	wireGuard   = lazily(`(?m)^\s*PrivateKey\s*=\s*[A-Za-z0-9+/]{42}`)
	profile     = lazily(`(?m)^\s*(?:aws_secret_access_key|aws_session_token)\s*=\s*[A-Za-z0-9/+]{20,}`)
)

func export(first []byte) bool {
	if len(first) > 1000 {
		return false
	}
	columns := map[string]bool{}
	for c := range strings.FieldsFuncSeq(strings.ToLower(string(first)), func(r rune) bool {
		return strings.ContainsRune(",;\t\r", r)
	}) {
		columns[strings.Trim(c, `" `)] = true
	}
	if len(columns) < 3 {
		return false
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return columns[name] })
	}
	secret := has("password", "login_password", "passwort", "kennwort")
	where := has("url", "website", "login_uri", "web site", "uri", "otpauth", "totp", "group", "grouping", "login url")
	who := has("username", "login_username", "user name", "login", "login name", "account", "email", "benutzername")
	return secret && who && (where || has("title", "name") && has("notes")) ||
		has("access key id") && has("secret access key", "user name")
}

var serverValues = lazily(`"(?:env|headers)"\s*:\s*\{[^}]*:\s*"[^"$]`)

var (
	encryptedFalse = lazily(`"encrypted"\s*:\s*false`)
	secretKind     = lazily(`"kind"\s*:\s*"Secret"`)
	clientSecret   = lazily(`"client_secret"\s*:\s*"[^"]{10,}"`)
	refreshToken   = lazily(`"refresh_token"\s*:\s*"[^"]{20,}"`)
	authEntry      = lazily(`"auths"\s*:\s*\{[^{}]*\{[^{}]*"(?:auth|identitytoken)"\s*:\s*"[^"]{4,}"`)
)

func jsonHolder(head []byte) string {
	has := func(word string) bool { return bytes.Contains(head, []byte(word)) }
	switch {
	case has(`"private_key"`) && (has(`"service_account"`) || has(`"private_key_id"`)) && has("PRIVATE KEY"):
		return "service account's key"
	case has(`"terraform_version"`) && has(`"serial"`) && (has(`"lineage"`) || has(`"resources"`) || has(`"modules"`)):
		return "Terraform state"
	case encryptedFalse.Match(head) && has(`"items"`), has(`"accounts"`) && has(`"vaults"`) && has(`"items"`),
		has(`"version"`) && has(`"loginUris"`):
		return "password manager's export"
	case secretKind.Match(head) && has(`"apiVersion"`) && (has(`"data"`) || has(`"stringData"`)):
		return "Kubernetes Secret"
	case has(`"client_secret"`) && clientSecret.Match(head) && (has(`"installed"`) || has(`"web"`) ||
		has(`"token_uri"`) || has(`"client_id"`)) && has("auth"):
		return "OAuth client's secret"
	case refreshToken.Match(head) && (has(`"access_token"`) || has(`"client_id"`)):
		return "OAuth tokens"
	case has(`"auths"`) && authEntry.Match(head):
		return "container registry's credentials"
	case has(`"http-basic"`) || has(`"github-oauth"`) || has(`"gitlab-token"`) || has(`"bitbucket-oauth"`):
		return "Composer's credentials"
	case has(`"ciphertext"`) && has(`"kdfparams"`):
		return "wallet"
	case has(`"checkpoint"`) && has(`"secrets_providers"`):
		return "Pulumi state"
	}
	return ""
}

func xmlHolder(head []byte) string {
	has := func(word string) bool { return bytes.Contains(head, []byte(word)) }
	switch {
	case has("<KeePassFile"), has("<pwlist"), has("<PasswordSafe"), has("<passwordsafe"), has("<revelationdata"):
		return "password manager's export"
	case has("<publishData>") && has("userPWD="):
		return "publish profile"
	case has("<servers>") && has("<password>") && has("<settings"):
		return "Maven settings with passwords"
	case has("<packageSourceCredentials>"):
		return "NuGet credentials"
	case has("<FileZilla3") && has("<Pass"):
		return "FTP client's passwords"
	}
	return ""
}

var (
	kindSecret = lazily(`(?m)^(?:\s*-\s)?\s*kind:\s*["']?Secret["']?\s*(?:#.*)?\r?$`)
	kindConfig = lazily(`(?m)^kind:\s*["']?Config["']?\s*\r?$`)
	dataMember = lazily(`(?m)^(\s*)(?:data|stringData):\s*\r?$`)
	memberLine = lazily(`^\s+["']?[\w.-]+["']?:\s*(.*?)\s*$`)
)

func kubernetes(data []byte) string {
	if kindConfig.Match(data[:min(len(data), headSize)]) && bytes.Contains(data, []byte("clusters:")) &&
		bytes.Contains(data, []byte("users:")) {
		return "kubeconfig"
	}
	if !bytes.Contains(data, []byte("Secret")) {
		return ""
	}
	for part := range bytes.SplitSeq(data, []byte("\n---")) {
		if !kindSecret.Match(part) {
			continue
		}
		for _, m := range dataMember.FindAllSubmatchIndex(part, -1) {
			indent := m[3] - m[2]
			for line := range bytes.SplitSeq(part[min(m[1]+1, len(part)):], []byte("\n")) {
				if t := bytes.TrimSpace(line); len(t) == 0 || t[0] == '#' {
					continue
				}
				if len(line)-len(bytes.TrimLeft(line, " ")) <= indent {
					break
				}
				v := memberLine.FindSubmatch(line)
				if v == nil {
					continue // not the first line of a value
				}
				if value := bytes.Trim(v[1], `"'`); len(value) > 0 && !bytes.Contains(value, []byte("{{")) && !reference(value) &&
					!bytes.HasPrefix(value, []byte("<")) && !bytes.HasPrefix(value, []byte("$")) {
					return "Kubernetes Secret"
				}
			}
		}
	}
	return ""
}

var (
	variable   = lazily(`^\s*(?:export\s+|set\s+|setx?\s+)?([A-Za-z_][\w.-]*)\s*[=:]\s*(.*?)\s*$`)
	secretName = lazily(
		`(?i)(?:pass(?:w(?:or)?d|phrase)?|pwd|secret|token|key|credentials?|passwort|kennwort|(?:^|_)(?:pin|puk|auth))s?` +
			`(?:[_.-]?(?:prod(?:uction)?|dev|stag(?:e|ing)|test|live|base64|salt|[0-9]{1,3}))*$`)
)

// keyName matches the name of a key, whose value is random or, as in sonar.projectKey=web, no secret.
var keyName = lazily(`(?i)keys?$`)

// lines returns a description of a file of settings that contains a secret, such as a .env file, or "".
func lines(key string, head []byte) string {
	if IsTemplate(key) {
		return ""
	}
	pairs, others, secrets := 0, 0, 0
	rest := head
	for n := 0; n < 200 && len(rest) > 0; n++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' || line[0] == ';' || line[0] == '[' {
			continue
		}
		m := variable.FindSubmatch(line)
		if m == nil {
			others++
			continue
		}
		pairs++
		value := bytes.Trim(m[2], `"'`)
		if secretName.Match(m[1]) && len(value) >= 4 && len(value) < 4096 && bytes.IndexByte(value, ' ') < 0 &&
			!example(value) && !reference(value) && (mixed(value) || !keyName.Match(m[1])) &&
			!hasWord(value, []string{"none", "null", "true", "false", "required"}) && bytes.IndexByte([]byte("/$<{%*"),
			value[0]) < 0 {
			secrets++
		}
	}
	if secrets > 0 && pairs >= 2 && others*4 <= pairs {
		return "list of names and secrets"
	}
	return ""
}

// IsTemplate reports whether a file is an example of another file, such as prod.env.example.
func IsTemplate(key string) bool {
	base := strings.ToLower(path.Base(key))
	for _, w := range []string{"example", "sample", "template", "tmpl", "dist"} {
		if i := strings.Index(base, w); i >= 0 && (i == 0 || !wordByte(base[i-1]) || base[i-1] == '_') &&
			(i+len(w) == len(base) || !wordByte(base[i+len(w)]) || base[i+len(w)] == '_') {
			return true
		}
	}
	return false
}

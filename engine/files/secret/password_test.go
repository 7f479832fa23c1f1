package secret

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var passwordForms = []struct{ kind, key, text string }{
	{"configuration", "a.yaml", "db:\n  password: §\n"},
	{"configuration", "application.yml", "spring:\n  datasource:\n    password: \"§\"\n"},
	{"configuration", "a.properties", "spring.datasource.password=§\n"},
	{"configuration", "a.env", "DB_PASSWORD=§\n"},
	{"configuration", "a.json", `{"user": "app", "password": "§"}`},
	{"configuration", "a.toml", "password = \"§\"\n"},
	{"configuration", "a.ini", "[db]\npass = §\n"},
	{"configuration", "deploy.yaml", "env:\n  - name: DB_PASSWORD\n    value: §\n"},
	{"configuration", "task.json", `{"environment": [{"name": "DB_PASSWORD", "value": "§"}]}`},
	{"configuration", "main.tf", "variable \"db_password\" {\n  type = string\n  default = \"§\"\n}\n"},
	{"configuration", "Dockerfile", "FROM alpine\nENV DB_PASSWORD §\n"},
	{"configuration", ".gitlab-ci.yml", "variables:\n  DB_PASSWORD: \"§\"\n"},
	{"configuration", "build.gradle", "signingConfigs {\n  release {\n    storePassword '§'\n  }\n}\n"},
	{"configuration", "a.sh", "mysql -u root -p'§' shop\n"},
	{"configuration", "b.sh", "docker login -u ci -p § registry.internal\n"},
	{"configuration", "a.ps1", "$p = ConvertTo-SecureString '§' -AsPlainText -Force\n"},
	{"configuration", "a.sql", "CREATE USER app IDENTIFIED BY '§';\n"},
	{"configuration", "b.sql", "ALTER ROLE app WITH PASSWORD '§';\n"},
	{"configuration", "ds.xml", "<security>\n<password><![CDATA[§]]></password>\n</security>\n"},
	{"configuration", "Dockerfile.ssh", "RUN echo 'root:§' | chpasswd\n"},
	{"configuration", ".pgpass.txt", "db.internal:5432:reports:analyst:§\n"},
	{"code", "login.spec.ts", "await page.getByLabel('Password').fill('§')\n"},
	{"prose", "a.md", "Log in as news@example.org with § and pick one.\n"},
	{"configuration", "a.conf", "url=jdbc:postgresql://db/x?user=app&password=§&ssl=true\n"},
	{"code", "a.go", "cfg := Config{Password: \"§\"}\n"},
	{"code", "a.py", "password = '§'\n"},
	{"code", "b.py", "parser.add_argument('--password', default='§')\n"},
	{"code", "c.py", "requests.get(url, auth=('admin', '§'))\n"},
	{"code", "a.php", "$pass = '§';\n"},
	{"code", "a.js", "connect({ user: 'app', pass: '§' })\n"},
	{"code", "A.java", `Connection c = open("jdbc:mysql://db/x?user=a&password=§");` + "\n"},
	{"code", "B.java", `DriverManager.getConnection(url, "app", "§");` + "\n"},
	{"code", "b.go", `db, err := sql.Open("postgres", "user=app password=§ dbname=x")` + "\n"},
	{"code", "A.cs", `var c = new NetworkCredential("app", "§");` + "\n"},
	{"code", "a.rb", "password: '§',\n"},
	{"code", "a.rs", "let password = \"§\";\n"},
	{"code", "a.kt", "val dbPassword: String = \"§\"\n"},
	{"code", "a.swift", "let password = \"§\"\n"},
	{"code", "a.c", "static const char *password = \"§\";\n"},
	{"prose", "README.md", "The password is §.\n"},
	{"prose", "notes.md", "Log in as admin; the password for staging is `§`, please keep it.\n"},
	{"prose", "setup.md", "Password: §\n"},
	{"prose", "c.go", "// The staging password is §, until Friday.\n"},
}

func TestPasswords(t *testing.T) {
	for _, f := range passwordForms {
		for _, v := range []string{"xK7vq2Lm#w9RtZ4p", "Tiger-Cloud4321", "monkey-river_8812!"} {
			in := strings.ReplaceAll(f.text, "§", v)
			r, err := Redact(f.key, []byte(in))
			if err != nil || strings.Contains(string(r.Data), v) {
				t.Errorf("%s, %s: %q stays: %q, %v", f.kind, f.key, v, r.Data, err)
			}
		}
	}
	forms, err := os.ReadFile("testdata/forms.txt")
	if err != nil {
		t.Fatal(err)
	}
	for form := range strings.Lines(string(forms)) {
		for _, v := range []string{"xK7vq2Lm#w9R", "Tiger-Cloud4321", "sommer!Haus88", "Berlin1987#"} {
			file, text, _ := strings.Cut(form, "|")
			in := strings.NewReplacer("\\n", "\n", "§", v).Replace(text)
			if r, err := Redact(file, []byte(in)); err != nil || strings.Contains(string(r.Data), v) {
				t.Errorf("%s: %q stays: %q, %v", file, v, r.Data, err)
			}
		}
	}
	for file, in := range map[string]string{"a.yml": "password: §hund4katze", "a.js": `login({password: '§maple4River'})`,
		"A.cs": `new NetworkCredential("scan", "§M@rble-Owl_31", "HQ")`, "a.rs": `.basic_auth("qa", Some("§tin-whistle-parade"))`,
		"c.json": `{"password": "§Århus.Kanal.31"}`, "a.hs": `pw = Login { password = "§cherry\"Boat\"27" }`,
		"b.xml":    `<Key>Password</Key><Value Protect="True">§q9"T;Lamp~x2</Value>`,
		"a.exs":    `%{login: "jo", pass: "§cotton Sparrow 1912"}`,
		"nas.cred": "password=§teal7Harbor", "a.jl": `Connection("host=db user=tide password=§teal7Harbor")`,
		"b.md":   "    aws configure set aws_secret_access_key §kQ0zv7mj2RwdvJBTbyC/HTQZz1x6mSNaQLhVmX3 --profile a",
		"a.conf": `psk="§nine purple lamps here"`, "b.yaml": "passphrase: §green turtle plays drums",
		"a.md": "Passphrase is four words: \"§teal copper window duck\"."} {
		_, value, _ := strings.Cut(in, "§")
		r, err := Redact(file, []byte(strings.Replace(in, "§", "", 1)+"\n"))
		if err != nil || strings.Contains(string(r.Data), value[:10]) {
			t.Errorf("%q, %v", r.Data, err)
		}
	}
	key := "0x" + strings.Repeat("4f3edf983ac636a65a842ce7c78d9aa7", 2)
	in := "networks: { main: { accounts: ['" + key + "'] } }"
	if r, err := Redact("hardhat.config.js", []byte(in)); err != nil || strings.Contains(string(r.Data), key) {
		t.Errorf("%q, %v", r.Data, err)
	}
}

func TestNoPasswords(t *testing.T) {
	for _, f := range []struct{ key, text string }{
		{"a.ts", "password: string\n"}, {"a.go", "Password string `json:\"password2\"`\n"},
		{"de.json", `{"password": "Passwort", "password_hint": "Mindestens 8 Zeichen"}`},
		{"a.yaml", "password: ${DB_PASSWORD}\n"}, {"a.yaml", "password: !vault |\n"},
		{"a.py", "password = os.environ['DB_PASSWORD_2']\n"}, {"a.py", "password = getpass.getpass()\n"},
		{"a.go", "password := r.FormValue(\"password1\")\n"}, {"a_test.go", "login(\"user1\", \"password123\")\n"},
		{"a.yaml",
			"env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: db\n" +
				"  - name: LOG\n    value: Level-debug22\n"},
		{"a.md", "The password is hashed with SHA-256 and never stored.\n"},
		{"a.md", "A password is required. Passwords are at least 12 characters.\n"},
		{"a.sh", "mkdir -p build/Output123\n"}, {"a.sh", "docker run -p 8080:8080 shop/image1\n"},
		{"a.py", "AUTH_TYPES = (\n    'v4',\n    's3v4-query',\n)\n"}, {"a.go", "Authorize(ctx, \"code\", \"State-123x\")\n"},
		{"a.json", "[\n  \"MasterPassword\",\n  \"S3OriginConfig\",\n  \"db.influx.12xlarge\"\n]\n"},
		{"fr.po", "\"the key identified by keygrip%%0A\"\n"}, {"a.txt", "xn--pw9c.xn--fj; ; ;\nxn--r97c.ss4f; ; ;\n"},
		{"a.txt", "/src/target.go:10:10: exprUnparen: the parentheses\n"}, {"a.yml", "msbuild /p:Platform=x64 x.sln\n"},
		{"a.go", "// the idiom is to pass ed25519.PrivateKey by value\n"},
		{"a.pyi", "def Open(path, password, iid: _win32.PyIID1):\n"},
		{"a.yaml", "password:\nmode:\n  default: Level-debug22\n"}, {"ChangeLog", "- ignore password expiry (bnc#770250)\n"},
		{"a.c", "#define PASSWORD_MAX 128\n"}, {"b.yml", "password_encryption: scram-sha-256\n"},
		{"a.js", "const password = 'Choose 12 or more'\n"}, {"a.html", `<input type="password" placeholder="Password1">`},
		{"auth.json",
			`{"AUTH": {"arguments": [{"name": "username", "type": "string"}, {"name": "password", "type": "string"}]}}`},
		{"a.js", "if (opts.pass) { compass.pass = opts.pass }\n"}, {"a.py", "pass\n"},
		{"a.ts", "tokenizationId: '0cc175b9c0f1b6a831c399e269772661'\n"},
		{"a.ini", "password_file = /etc/shop/pw1\n"}, {"a.yaml", "passwordHash: $2y$10$abcdefghijklmnopqrstuv\n"},
	} {
		if r, err := Redact(f.key, []byte(f.text)); err != nil || string(r.Data) != f.text {
			t.Errorf("%s: %q became %q, %v", f.key, f.text, r.Data, err)
		}
	}
}

func TestAlike(t *testing.T) {
	lines, err := os.ReadFile("testdata/alike.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		file, text, _ := strings.Cut(line, "|")
		if r, err := Redact(file, []byte(text)); err != nil || string(r.Data) != text {
			t.Errorf("%s: %q became %q, %v", file, text, r.Data, err)
		}
	}
}

func TestReadsItself(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || name == "gitleaks.go" { // keywords in gitleaks.go are prefixes of tokens
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if h := Holder(name, data); h != "" {
			t.Errorf("%s is taken for a %s", name, h)
		}
		found, err := Find(name, data)
		if err != nil {
			t.Error(err)
		}
		for _, f := range found {
			t.Errorf("%s: %s at %q", name, f.Rule, data[f.Start:f.End])
		}
	}
}

func TestBasicCredentials(t *testing.T) {
	of := func(login string) string { return base64.StdEncoding.EncodeToString([]byte(login)) }
	for _, f := range []struct {
		key, before, login, after string
		masked                    bool
	}{
		{"nginx.conf", `proxy_set_header Authorization "Basic `, "reader:Tiger-Cloud4321", `";`, true},
		{"Caddyfile", `header_up Authorization "Basic `, "reader:xK7vq2Lmw9RtZ4", `"`, true},
		{"a.json", `{"key": "Authorization", "value": "Basic `, "reader:sommer!Haus88", `"}`, true},
		{"a.md", "Authorization: Basic ", "reader:Berlin1987#", "", true},
		{"a.http", "Authorization: Basic ", "Aladdin:open sesame", "", false},
		{"a.md", "Authorization: Basic ", "username:password", "", false},
		{"a.go", `"Basic `, "user:pass", `"`, false},
	} {
		in := f.before + of(f.login) + f.after + "\n"
		r, err := Redact(f.key, []byte(in))
		if err != nil || strings.Contains(string(r.Data), of(f.login)) == f.masked {
			t.Errorf("%s: %q became %q, %v", f.key, in, r.Data, err)
		}
	}
	in := "Authorization: Basic reader:Tiger-Cloud4321\n"
	if r, err := Redact("a.http", []byte(in)); err != nil || strings.Contains(string(r.Data), "Tiger") {
		t.Errorf("%q, %v", r.Data, err)
	}
}

package corpus

import (
	enc "encoding/base64"
	"strings"
)

// keyForm is a way in which key material stands inside of another file.
type keyForm struct {
	kind, path string
	text       func(m *maker, secret func(string) string) string
}

func (m *maker) keys(k keyForm) {
	var parts []string
	text := k.text(m, func(s string) string {
		parts = append(parts, s)
		return s
	})
	m.add(Document{Path: k.path, Text: text}, Secret{Sort: Key, Kind: k.kind, Parts: parts})
}

// block makes a key block of lines of 64 characters, the first as given.
func block(m *maker, title, first string, lines int, secret func(string) string) []string {
	out := []string{"-----BEGIN " + title + "PRIVATE" + " KEY-----"}
	for n := range lines {
		line := m.of(base64, 64)
		if n == 0 {
			line = first + line[len(first):]
		}
		if n == lines-1 {
			line = line[:40] + "A="
		}
		out = append(out, secret(line))
	}
	return append(out, "-----END "+title+"PRIVATE"+" KEY-----")
}

const (
	rsa     = "MIIEpAIBAAKCAQEA"
	pkcs8   = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"
	openssh = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ"
)

var keyForms = []keyForm{
	{"in a Go constant", "pkg/keys.go", func(m *maker, s func(string) string) string {
		return "package pkg\n\nconst key = `" + strings.Join(block(m, "RSA ", rsa, 25, s), "\n") + "`\n\nfunc f() {}\n"
	}},
	{"behind a back-tick in JavaScript", "src/keys.js", func(m *maker, s func(string) string) string {
		return "export const key = `" + strings.Join(block(m, "", pkcs8, 26, s), "\n") + "`\n"
	}},
	{"in a Python string", "app/keys.py", func(m *maker, s func(string) string) string {
		return "import x\n\nKEY = \"\"\"" + strings.Join(block(m, "EC ", "MHcCAQEEI", 3, s), "\n") + "\"\"\"\n"
	}},
	{"joined literals", "src/Keys.java", func(m *maker, s func(string) string) string {
		return "class Keys {\n  String k = \"" + strings.Join(block(m, "", pkcs8, 26, s), "\\n\" +\n      \"") + "\";\n}\n"
	}},
	{"one line with \\n", "src/keys.ts", func(m *maker, s func(string) string) string {
		return "const key = '" + strings.Join(block(m, "RSA ", rsa, 25, s), `\n`) + "'\nrun()\n"
	}},
	{"one line with \\\\n", "deploy/job.sh", func(m *maker, s func(string) string) string {
		return "#!/bin/sh\nkey=\"" + strings.Join(block(m, "", pkcs8, 26, s), `\\n`) + "\"\necho done\n"
	}},
	{"in YAML behind much else", "deploy/values.yaml", func(m *maker, s func(string) string) string {
		return strings.Repeat("# about this service, which is long and says little\n", 200) + "tls:\n  key: |\n    " +
			strings.Join(block(m, "RSA ", rsa, 25, s), "\n    ") + "\nport: 80\n"
	}},
	{"in a service account's JSON on one line", "config/all.json", func(m *maker, s func(string) string) string {
		return `{"debug": false, "gcp": {"email": "a@b", "key": "` + strings.Join(block(m, "", pkcs8, 26, s), `\n`) +
			`\n"}, "port": 80}` + "\n"
	}},
	{"behind prefixes of a log", "docs/incident.txt", func(m *maker, s func(string) string) string {
		return "10:00:01 INFO read key\n10:00:01 DEBUG " + strings.Join(block(m, "RSA ", rsa, 25, s), "\n10:00:01 DEBUG ") +
			"\n10:00:02 INFO done\n"
	}},
	{"in a comment", "src/old.c", func(m *maker, s func(string) string) string {
		return "/*\n * " + strings.Join(block(m, "RSA ", rsa, 25, s), "\n * ") + "\n */\nint main(void) { return 0; }\n"
	}},
	{"in Markdown", "docs/setup.md", func(m *maker, s func(string) string) string {
		return "# Setup\n\nUse `" + strings.Join(block(m, "OPENSSH ", openssh, 6, s), "\n") + "`\n\nThat is all.\n"
	}},
	{"without its last line", "docs/cut.md", func(m *maker, s func(string) string) string {
		b := block(m, "RSA ", rsa, 25, s)
		return "# Cut\n\nIt said: " + strings.Join(b[:len(b)-2], "\n") + "\n\nAnd more.\n"
	}},
	{"without its first line", "docs/rest.md", func(m *maker, s func(string) string) string {
		b := block(m, "RSA ", rsa, 25, s)
		return "# Rest\n\nThe key:\n\n" + strings.Join(b[1:len(b)-1], "\n") + "\n\nAnd more.\n"
	}},
	{"bare PKCS #8", "src/bare.py", func(m *maker, s func(string) string) string {
		return "KEY = '" + s(pkcs8+m.of(base64, 1568)) + "'\n"
	}},
	{"bare OpenSSH", "src/ssh.rb", func(m *maker, s func(string) string) string {
		return "KEY = '" + s(openssh+m.of(base64, 318)) + "'\n"
	}},
	{"bare Ed25519", "src/ed.go", func(m *maker, s func(string) string) string {
		return "package src\n\nvar key = \"" + s("MC4CAQAwBQYDK2VwBCIEI"+m.of(base64, 43)) + "\"\n"
	}},
	{"block in base64", "ci/pipeline.yml", func(m *maker, s func(string) string) string {
		return "job:\n  variables:\n    DEPLOY: " + s(enc.StdEncoding.EncodeToString([]byte(strings.Join(block(m, "RSA ",
			rsa, 25, func(l string) string { return l }), "\n")))) + "\n  script: run\n"
	}},
	{"block in base64, in lines", "deploy/config-map.yaml", func(m *maker, s func(string) string) string {
		text := enc.StdEncoding.EncodeToString([]byte(strings.Join(block(m, "", pkcs8, 26,
			func(l string) string { return l }), "\n")))
		out := "data:\n  key: |\n"
		for len(text) > 76 {
			out += "    " + s(text[:76]) + "\n"
			text = text[76:]
		}
		return out + "    " + s(text) + "\nport: 80\n"
	}},
	{"JSON Web Key, EC", "src/jwk.js", func(m *maker, s func(string) string) string {
		return `export const jwk = { "kty": "EC", "crv": "P-256", "x": "` + m.url(43) + `", "d": "` + s(m.url(43)) + `" }` +
			"\n"
	}},
	{"JSON Web Key, RSA", "config/jwks.json", func(m *maker, s func(string) string) string {
		return `{"keys": [{"kty": "RSA", "n": "` + m.url(342) + `", "e": "AQAB", "d": "` + s(m.url(342)) + `", "p": "` +
			s(m.url(171)) + `", "q": "` + s(m.url(171)) +
			`", "dp": "` + s(m.url(171)) + `", "dq": "` + s(m.url(171)) + `", "qi": "` + s(m.url(171)) + `"}]}` + "\n"
	}},
	{"JSON Web Key, symmetric, in a string", "src/oct.go", func(m *maker, s func(string) string) string {
		return "package src\n\nconst jwk = \"{\\\"k\\\":\\\"" + s(m.url(43)) + "\\\",\\\"kty\\\":\\\"oct\\\"}\"\n"
	}},
	{"age", "scripts/decrypt.sh", func(m *maker, s func(string) string) string {
		return "#!/bin/sh\necho '" + s("AGE-SECRET"+"-KEY-1"+m.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)) +
			"' | age -d -i - x\n"
	}},
	{"PGP", "docs/pgp.md", func(m *maker, s func(string) string) string {
		out := "# Key\n\nOurs is -----BEGIN PGP PRIVATE" + " KEY BLOCK-----\n\n"
		for range 20 {
			out += s(m.of(base64, 64)) + "\n"
		}
		return out + "=abcd\n-----END PGP PRIVATE" + " KEY BLOCK-----\n\nDone.\n"
	}},
	{"SSH2", "docs/ssh2.md", func(m *maker, s func(string) string) string {
		out := "Ours is ---- BEGIN SSH2 ENCRYPTED PRIVATE" + " KEY ----\nComment: \"me\"\n"
		for range 10 {
			out += s(m.of(base64, 70)) + "\n"
		}
		return "# Key\n\n" + out + "---- END SSH2 ENCRYPTED PRIVATE" + " KEY ----\n\nDone.\n"
	}},
	{"PuTTY", "docs/putty.md", func(m *maker, s func(string) string) string {
		out := strings.Repeat("About PuTTY, and how its files look inside.\n", 200) +
			"Public-Lines: 1\nAAAA\nPrivate-Lines: 3\n"
		for range 3 {
			out += s(m.of(base64, 64)) + "\n"
		}
		return out + "Private-MAC: x\n"
	}},
	{"encrypted, with its headers", "src/enc.go", func(m *maker, s func(string) string) string {
		b := block(m, "RSA ", "MIIE", 25, s)
		return "package src\n\nconst k = `" + b[0] + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0011\n\n" +
			strings.Join(b[1:], "\n") + "`\n"
	}},
	{"in an address", "docs/link.html", func(m *maker, s func(string) string) string {
		b := block(m, "RSA ", rsa, 25, s)
		return "<a href=\"/import?pem=" + strings.NewReplacer(" ", "%20", "\n", "%0A").Replace(strings.Join(b, "\n")) +
			"\">x</a>\n"
	}},
	{"Ethereum", "scripts/deploy.ts", func(m *maker, s func(string) string) string {
		return "const privateKey = \"0x" + s(m.hex(64)) + "\"\ndeploy(privateKey)\n"
	}},
	{"with CRLF", "win/keys.cs", func(m *maker, s func(string) string) string {
		return "class K {\r\n  const string P = @\"" + strings.Join(block(m, "RSA ", rsa, 25, s), "\r\n") + "\";\r\n}\r\n"
	}},
	{"two in a file", "src/two.go", func(m *maker, s func(string) string) string {
		return "package src\n\nconst a = `" + strings.Join(block(m, "RSA ", rsa, 25, s), "\n") + "`\n\nconst b = `" +
			strings.Join(block(m, "EC ", "MHcCAQEEI", 3, s), "\n") + "`\n"
	}},
}

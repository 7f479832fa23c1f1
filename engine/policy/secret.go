package policy

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// secretNames are files that hold credentials by convention (RFC 5.2); compared without regard to case.
var secretNames = set(
	".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".pgpass", "pgpass.conf", ".my.cnf", ".htpasswd",
	".envrc",
	".s3cfg", ".boto", ".dockercfg", ".vault-token", ".credentials", "credentials",
	"application_default_credentials.json", "accesstokens.json",
	"secrets.json", "secrets.yml", "secrets.yaml", "secrets.toml",
)

// credentialExts are the data formats in which a file called credentials, service account or client secret is one, and
// not source code that deals with credentials.
var credentialExts = set("json", "yml", "yaml", "toml", "ini", "csv", "properties", "enc", "xml", "txt", "db", "cfg",
	"conf")

// secretExts are key stores in text or binary form outside RFC 5.2's list.
var secretExts = set("ppk", "p8", "jks", "keystore", "kdbx", "ovpn")

// secretPaths are two components at the end of a path that name a credentials file by where it lies.
var secretPaths = set(".docker/config.json", ".kube/config", "gh/hosts.yml", ".config/hub")

// sshKeys are the default names of private keys.
var sshKeys = []string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"}

// Secret reports whether a key names a file that is known to hold credentials, outside the deny list. Such a file is
// skipped unless config.include names it.
func Secret(key string) bool {
	folded := lower(skeleton(key))
	dir, base := path.Split(folded)
	if secretNames[base] || sshKey(base) {
		return true
	}
	ext := strings.TrimPrefix(path.Ext(base), ".")
	if secretExts[ext] {
		return true
	}
	if credentialExts[ext] {
		for _, prefix := range []string{"credentials.", "service-account", "service_account", "serviceaccount",
			"client_secret"} {
			if strings.HasPrefix(base, prefix) {
				return true
			}
		}
	}
	parent := path.Base(dir)
	switch {
	case secretPaths[parent+"/"+base], parent == ".gnupg", parent == "private-keys-v1.d":
		return true
	case parent == ".ssh":
		return ext != "pub" && base != "config" && base != "known_hosts"
	}
	return false
}

// sshKey reports id_rsa and its kin, with the endings people give to copies: id_rsa.bak, id_rsa_work.
func sshKey(base string) bool {
	for _, key := range sshKeys {
		rest, ok := strings.CutPrefix(base, key)
		if !ok {
			continue
		}
		switch rest {
		case "", "~", ".bak", ".old", ".orig", ".backup", ".txt", "_sk":
			return true
		}
		if (rest[0] == '_' || rest[0] == '-') && !strings.Contains(rest, ".") {
			return true
		}
	}
	return false
}

var (
	// keyLine is a private-key header that stands on a line of its own: PEM, OpenSSH, PGP, SSH2, PuTTY, age.
	keyLine = regexp.MustCompile(`(?m)^[ \t\x{feff}>*#"'|]*(?:` +
		`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[ \t\r",']*$` +
		`|---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----|PuTTY-User-Key-File-\d+:|AGE-SECRET-KEY-1[0-9A-Z]{20})`)
	// keyBody is a PEM header followed by what is a key's body, wherever it stands: in a JSON string, a heredoc, a
	// literal.
	keyBody = regexp.MustCompile(`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\r|\\n|[\s"'+\\,])*` +
		`(?:Proc-Type:|Version:|Comment:|[A-Za-z0-9+/]{40})`)
)

// privateKey reports whether a file is or holds a private key. A header alone counts in the head (8 KB) and on a line
// of its own; further down, or within a line, only with a body behind it, so that code which merely looks for headers
// is indexed.
func privateKey(data []byte) bool {
	// The plain searches first: they cost a thousandth of the expressions, and hardly any file passes them.
	pem := bytes.Contains(data, []byte("PRIVATE KEY"))
	head := data[:min(len(data), headSize)]
	if (pem || bytes.Contains(head, []byte("PuTTY-User-Key-File-")) || bytes.Contains(head, []byte("AGE-SECRET-KEY-1"))) &&
		keyLine.Match(head) {
		return true
	}
	return pem && keyBody.Match(data)
}

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

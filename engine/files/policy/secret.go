package policy

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/files/secret"
)

// secretNames are names of files that store credentials, and of histories of shells, in lower case.
var secretNames = set(append(strings.Fields(`
	.netrc _netrc .npmrc .pypirc .git-credentials .git-credential-store .pgpass pgpass.conf .my.cnf .mylogin.cnf
	.htpasswd htpasswd .htdigest htdigest .envrc .s3cfg .boto .passwd-s3fs passwd-s3fs .dockercfg .vault-token
	.credentials credentials .databrickscfg .sentryclirc .clasprc.json .terraformrc terraform.rc credentials.tfrc.json
	kaggle.json .smbcredentials .authinfo .msmtprc .fetchmailrc .mbsyncrc .offlineimaprc .esmtprc rclone.conf
	.rclone.conf .ftpconfig .ftppass sftp-config.json sitemanager.xml recentservers.xml filezilla.xml
	settings-security.xml .gist ngrok.yml firebase-tools.json chap-secrets pap-secrets ipsec.secrets
	wpa_supplicant.conf sec.conf .tugboat .jfrog-cli.conf application_default_credentials.json accesstokens.json
	azureprofile.json msal_token_cache.json service_principal_entries.json shadow gshadow master.passwd
	hudson.util.secret robomongo.json credentials-config.json wallet.dat secring.gpg wp-config.php config.inc.php
	localsettings.php local_settings.py secret_token.rb keystore.properties key.properties signing.properties
	secrets.json secrets.yml secrets.yaml secrets.toml secrets.ini secrets.env .secrets .secret secret.yml secret.yaml
	secret.json .vault_pass .vault-pass .vault_password .vault-password vault_pass.txt vault-pass.txt vault_password
	vault-password.txt vault_password.txt token.json token.pickle .token client_secrets.json terraform.tfstate
	.wget-hsts logins.json key4.db signons.sqlite kubeconfig kube_config kube-config
	.bash_history .zsh_history .zhistory .sh_history .ash_history .ksh_history .history .histfile fish_history
	consolehost_history.txt .python_history .node_repl_history .psql_history .mysql_history .mariadb_history
	.sqlite_history .rediscli_history .irb_history .irb-history .pry_history .mongo_history .mongosh_repl_history
	.dbshell .lesshst .viminfo .php_history .scala_history .rhistory .octave_hist .bash_history-old .lua_history
	.clickhouse-client-history .duckdb_history`), "login data")...)

var secretStems = set(strings.Fields(`password passwords passwd passwort passwörter passwoerter kennwort kennwörter
	kennwoerter pw pws logins creds pins secrets secret seedphrase seed-phrase seed_phrase mnemonic recovery-codes
	recovery_codes recoverycodes backup-codes backup_codes recovery-key recovery_key bitwarden lastpass keepass
	1password dashlane api-keys api_keys apikeys`)...)

// noteExts are extensions of files in which users write down passwords.
var noteExts = set("", "txt", "text", "csv", "tsv", "rtf", "doc", "docx", "odt", "xls", "xlsx", "ods", "org", "enc",
	"gpg", "bak", "old", "lst", "list")

// credentialExts are extensions of data formats. A file such as credentials.go is source code.
var credentialExts = set(strings.Fields(`json yml yaml toml ini csv properties enc xml txt db cfg conf`)...)

// secretExts are extensions of key stores that RFC 5.2's list lacks.
var secretExts = set(strings.Fields(`ppk p8 jks keystore kdbx kdb ovpn tfvars tfstate kubeconfig env keytab kwallet
	keychain keychain-db agekey snk 1pif 1pux opvault agilekeychain psafe3 nmconnection token htpasswd publishsettings
	pubxml.user pgpass netrc gpgkey mobileconfig`)...)

var secretPaths = set(strings.Fields(`.docker/config.json .kube/config gh/hosts.yml .config/hub glab-cli/config.yml
	.aws/config .oci/config .m2/settings.xml .gradle/gradle.properties .bundle/config .composer/auth.json
	.nuget/nuget.config .bluemix/config.json doctl/config.yaml hcloud/cli.toml .fly/config.yml .netlify/config.json
	.davfs2/secrets .snowsql/config .snowflake/connections.toml .stripe/config.toml .circleci/cli.yml .dbt/profiles.yml
	.purple/accounts.xml .ngrok2/ngrok.yml .mutt/passwords .config/linode-cli .jenkins/credentials.xml
	stripe/config.toml gcloud/credentials.db gcloud/access_tokens.db gcloud/legacy_credentials`)...)

var secretDirs = set(".gnupg", "private-keys-v1.d", ".password-store", ".azure", ".1password", ".vault",
	"agilekeychain", ".electrum", ".keys")

var (
	// sshKey matches default names of private keys, and of copies such as id_rsa.bak.
	sshKey = regexp.MustCompile(`^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:~?|\.(?:bak|old|orig|backup|txt)|[_-][^.]*)$`)
	// credentialName matches the start of names of files with credentials, except for source code.
	credentialName = regexp.MustCompile(`^(?:credentials\.|service[-_]?account|client_secret|chrome[ _]passwords|` +
		`(?:bitwarden|lastpass|1password|keepass|dashlane)_export)`)
)

// Secret reports whether key has the name of a file with credentials, such as ".netrc". Only config.include can add
// such a file.
func Secret(key string) bool {
	folded := lower(skeleton(key))
	dir, base := path.Split(folded)
	if secretNames[base] || sshKey.MatchString(base) {
		return true
	}
	ext := strings.TrimPrefix(path.Ext(base), ".")
	if secret.IsTemplate(base) {
		return false // such as credentials.example.json
	}
	if secretExts[ext] || noteExts[ext] && notes(strings.TrimSuffix(base, "."+ext)) {
		return true
	}
	if strings.HasPrefix(base, ".env") && len(base) > 4 && (base[4] == '_' || base[4] == '-') || strings.HasSuffix(base,
		"_history") && base[0] == '.' {
		return true
	}
	if strings.Contains(base, ".env.") || strings.Contains(base, ".tfstate.") || strings.Contains(base, ".tfvars.") ||
		strings.HasPrefix(base, "kubeconfig") && !codeExts[ext] || strings.HasPrefix(base, "env.") && stageExts[ext] {
		return true
	}
	if credentialExts[ext] && credentialName.MatchString(base) {
		return true
	}
	parent := path.Base(dir)
	switch {
	case secretPaths[parent+"/"+base], secretDirs[parent]:
		return true
	case parent == ".ssh":
		return ext != "pub" && base != "config" && base != "known_hosts"
	}
	return false
}

var stageExts = set(strings.Fields(`local prod production dev development staging stage test live bak old`)...)

var codeExts = set(strings.Fields(`go py js ts jsx tsx mjs cjs rb rs java kt c h cc cpp hpp cs php swift sh bash ps1
	lua pl scala d.ts vue svelte html css md rst adoc`)...)

func notes(stem string) bool {
	if secretStems[strings.TrimPrefix(stem, ".")] {
		return true
	}
	for part := range strings.FieldsFuncSeq(stem, func(r rune) bool { return strings.ContainsRune("-_ .", r) }) {
		if part == "passwords" || part == "passwörter" || part == "passwoerter" || part == "kennwörter" {
			return true
		}
	}
	return false
}

// keyLine matches the header of a private key on its own line.
var keyLine = regexp.MustCompile(
	`(?m)^[ \t\x{feff}>*#"'|]*(?:-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[ \t\r",']*$` +
		`|---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----|PuTTY-User-Key-File-\d+:|AGE-SECRET-KEY-1[0-9A-Z]{20})`)

func privateKey(data []byte) bool {
	head := data[:min(len(data), headSize)]
	return (bytes.Contains(head, []byte("PRIVATE KEY")) || bytes.Contains(head, []byte("PuTTY-User-Key-File-")) ||
		bytes.Contains(head, []byte("AGE-SECRET-KEY-1"))) && keyLine.Match(head)
}

// withoutSecrets replaces each secret with a marker. It skips a file that is meant to store secrets.
func (p *Policy) withoutSecrets(key string, data []byte) ([]byte, api.Reason) {
	holder := privateKey(data) && !secret.IsProse(key) || secret.StoreKind(key, data) != ""
	named := p.include.names(key)
	if named && (holder || Secret(key)) {
		return data, api.SkipNone
	}
	if holder {
		return nil, api.SkipSecret
	}
	clean, err := secret.Redact(key, data)
	if err != nil || clean.KeyBytes > 0 && consistsOfKeys(key, clean.KeyBytes, len(data)) {
		if named {
			return data, api.SkipNone
		}
		return nil, api.SkipSecret
	}
	return clean.Data, api.SkipNone
}

func consistsOfKeys(key string, keyBytes, size int) bool {
	if secret.IsProse(key) {
		return size-keyBytes < 16
	}
	return keyBytes*2 >= size
}

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

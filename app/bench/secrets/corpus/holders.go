package corpus

import (
	"fmt"
	"strings"
)

// holder is a kind of file that exists to hold secrets. text marks with secret what must not get through.
type holder struct {
	kind, path string
	text       func(m *maker, secret func(string) string) string
}

// vars makes a file of names and values; names with an asterisk have secrets.
func vars(sign string, names ...string) func(*maker, func(string) string) string {
	return func(m *maker, secret func(string) string) string {
		var b strings.Builder
		for _, n := range names {
			if bare, ok := strings.CutSuffix(n, "*"); ok {
				b.WriteString(bare + sign + secret(m.word()) + "\n")
			} else {
				b.WriteString(n + sign + "value\n")
			}
		}
		return b.String()
	}
}

// around puts one secret into a text with %s.
func around(format string) func(*maker, func(string) string) string {
	return func(m *maker, secret func(string) string) string {
		args := make([]any, strings.Count(format, "%s"))
		for i := range args {
			args[i] = secret(m.word())
		}
		return fmt.Sprintf(format, args...)
	}
}

var holders = []holder{
	{"passwords.txt", "passwords.txt", around("bank %s\nmail %s\n")},
	{"passwords.csv", "private/passwords.csv", around("site,who,what\nbank,me,%s\n")},
	{"passwords in German", "Passwörter.txt", around("Bank: %s\n")},
	{"prod.env", "config/prod.env", vars("=", "PORT", "DB_PASSWORD*")},
	{".env_prod", ".env_prod", vars("=", "PORT", "DB_PASSWORD*")},
	{".env-staging", ".env-staging", vars("=", "PORT", "DB_PASSWORD*")},
	{".env", ".env", vars("=", "DB_PASSWORD*")},
	{".env.local", "web/.env.local", vars("=", "DB_PASSWORD*")},
	{"env.production", "env.production", vars("=", "DB_PASSWORD*")},
	{"variables without a name", "deploy/settings.vars", vars("=", "HOST", "PORT", "ADMIN_PASSWORD*", "API_TOKEN*")},
	{"variables in a text", "handover.txt", vars(": ", "Host", "User", "Password*")},
	{"tfvars", "infra/terraform.tfvars", vars(" = ", "region", "db_password*")},
	{"tfvars for a stage", "infra/prod.auto.tfvars", vars(" = ", "region", "db_password*")},
	{"tfvars in JSON", "infra/prod.tfvars.json", around(`{"db_password": "%s"}`)},
	{"terraform.tfstate", "infra/terraform.tfstate",
		around(`{"version": 4, "resources": [{"attributes": {"result": "%s"}}]}`)},
	{"state's backup", "infra/terraform.tfstate.backup",
		around(`{"version": 4, "resources": [{"attributes": {"result": "%s"}}]}`)},
	{"state under another name", "infra/old.json",
		around(`{"version": 4, "terraform_version": "1.9.0", "serial": 3, "lineage": "x", "resources": [{"r": "%s"}]}`)},
	{"kubeconfig", "kubeconfig", around("users:\n- name: me\n  user:\n    x: %s\n")},
	{"kubeconfig by shape", "cluster.yaml",
		around("apiVersion: v1\nkind: Config\nclusters:\n- name: c\nusers:\n- name: me\n  user:\n    password: %s\n")},
	{".kube/config", ".kube/config", around("users:\n- name: me\n  user:\n    token: %s\n")},
	{"Kubernetes Secret", "deploy/secret-db.yaml",
		around("apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  pw: %s\n")},
	{"Kubernetes Secret as strings", "deploy/all.yaml",
		around("kind: Service\nmetadata:\n  name: x\n---\napiVersion: v1\nkind: Secret\nstringData:\n  pw: %s\n")},
	{"Kubernetes Secret in JSON", "deploy/secret-db.json",
		around(`{"apiVersion": "v1", "kind": "Secret", "data": {"pw": "%s"}}`)},
	{"bash history", ".bash_history", around("ls\nmysql -u root -p%s\n")},
	{"zsh history", ".zsh_history", around(": 1700000000:0;login %s\n")},
	{"history under another name", "backup/history-old", around(": 1700000000:0;login %s\n: 1700000009:0;ls\n")},
	{"fish history", "fish/fish_history", around("- cmd: login %s\n  when: 1700000000\n")},
	{"PowerShell history", "ConsoleHost_history.txt", around("Connect -Password %s\n")},
	{"Python history", ".python_history", around("login('%s')\n")},
	{"psql history", ".psql_history", around("alter role shop password '%s';\n")},
	{"redis history", ".rediscli_history", around("auth %s\n")},
	{"viminfo", ".viminfo", around("# Registers:\n\"\"1\tLINE\t0\n\t%s\n")},
	{".yarnrc.yml", ".yarnrc.yml", around("npmRegistries:\n  //npm.internal:\n    npmAuthToken: %s\n")},
	{".npmrc", ".npmrc", around("//registry.internal/:_authToken=%s\n")},
	{".pypirc", ".pypirc", around("[pypi]\nusername = me\npassword = %s\n")},
	{".aws/config", ".aws/config", around("[default]\nregion = eu\nsecret = %s\n")},
	{".aws/credentials", ".aws/credentials", around("[default]\nx = %s\n")},
	{"AWS credentials under another name", "ops/aws.conf", func(m *maker, secret func(string) string) string {
		return "[default]\naws_access_key_id = " + "AK" + "IA" + m.of(upper, 16) + "\naws_secret_access_key = " +
			secret(m.of(base64, 40)) + "\n"
	}},
	{"AWS access keys' download", "new_user_credentials.csv",
		around("User name,Password,Access key ID,Secret access key\nme,%s,x,%s\n")},
	{"wp-config.php", "site/wp-config.php", around("<?php\ndefine('DB_PASSWORD', '%s');\n")},
	{".mcp.json", ".mcp.json", around(`{"mcpServers": {"shop": {"command": "shop", "env": {"SHOP": "%s"}}}}`)},
	{"Claude Desktop's configuration", "claude_desktop_config.json",
		around(`{"mcpServers": {"shop": {"command": "shop", "env": {"SHOP": "%s"}}}}`)},
	{"Chrome's export", "export/chrome.csv",
		around("name,url,username,password,note\nbank,https://bank.example,me,%s,\n")},
	{"Firefox' export", "export/firefox.csv",
		around(`"url","username","password","httpRealm","formActionOrigin","guid"` +
			"\n\"https://bank.example\",\"me\",\"%s\",,,\n")},
	{"Bitwarden's export", "export/bw.csv",
		around("folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n" +
			",,login,bank,,,0,,me,%s,\n")},
	{"Bitwarden's export in JSON", "export/bw.json",
		around(`{"encrypted": false, "folders": [], "items": [{"login": {"x": "%s"}}]}`)},
	{"LastPass' export", "export/lp.csv",
		around("url,username,password,totp,extra,name,grouping,fav\nhttps://bank.example,me,%s,,,bank,,0\n")},
	{"1Password's export", "export/op.csv",
		around("Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes\nbank,https://bank.example,me,%s,,,,,\n")},
	{"KeePass' export", "export/kp.csv", around(`"Group","Title","Username","Password","URL","Notes"` +
		"\n\"Root\",\"bank\",\"me\",\"%s\",\"\",\"\"\n")},
	{"KeePass' export in XML", "export/kp.xml",
		around("<?xml version=\"1.0\"?>\n<KeePassFile><Root><Value>%s</Value></Root></KeePassFile>\n")},
	{"service account", "gcp/shop-1a2b3c.json", func(m *maker, secret func(string) string) string {
		key := ""
		for range 10 {
			key += secret(m.of(base64, 64)) + `\n`
		}
		return `{"type": "service_account", "project_id": "shop", "private_key_id": "x", "private_key": "-----BEGIN PRIV` +
			`ATE KEY-----\n` + key +
			`-----END PRIV` + `ATE KEY-----\n"}`
	}},
	{"OAuth client", "client_secret_12.json", around(`{"installed": {"client_secret": "%s"}}`)},
	{"OAuth client under another name", "gcp/oauth.json",
		around(`{"installed": {"client_id": "x", "client_secret": "%s", "token_uri": "https://oauth2.example"}}`)},
	{"OAuth tokens", "token.json", around(`{"token": "%s"}`)},
	{"OAuth tokens under another name", "cache/session.json",
		around(`{"access_token": "%sx", "refresh_token": "%s%s%s", "client_id": "x"}`)},
	{".netrc", ".netrc", around("machine git.internal login me password %s\n")},
	{".git-credentials", ".git-credentials", around("https://me:%s@git.internal\n")},
	{".pgpass", ".pgpass", around("db:5432:shop:me:%s\n")},
	{".my.cnf", ".my.cnf", around("[client]\npassword=%s\n")},
	{".htpasswd", ".htpasswd", around("me:$apr1$%s\n")},
	{"htpasswd under another name", "nginx/users", around("me:$2y$10$%sabcdefgh\n")},
	{".docker/config.json", ".docker/config.json", around(`{"auths": {"x": {"auth": "%s"}}}`)},
	{"registry's credentials under another name", "deploy/pull.json",
		around(`{"auths": {"registry.internal": {"auth": "%s"}}}`)},
	{"rclone.conf", "rclone.conf", around("[remote]\npass = %s\n")},
	{"Maven settings", ".m2/settings.xml",
		around("<settings><servers><server><password>%s</password></server></servers></settings>\n")},
	{"Maven settings elsewhere", "ci/maven.xml",
		around("<settings><servers><server><password>%s</password></server></servers></settings>\n")},
	{"Gradle properties", ".gradle/gradle.properties", around("signingWord=%s\n")},
	{"Android signing", "android/key.properties", around("storeWord=%s\n")},
	{"NuGet credentials", "nuget.config",
		around(`<configuration><packageSourceCredentials><x><add key="ClearTextPassword" value="%s"/></x></packageSourceCredentials></configuration>`)},
	{"Azure publish profile", "shop.publishsettings", around(`<publishData><publishProfile userPWD="%s"/></publishData>`)},
	{"publish profile under another name", "deploy/azure.xml",
		around(`<publishData><publishProfile userPWD="%s"/></publishData>`)},
	{"Ansible vault password", ".vault_pass", around("%s\n")},
	{"Rails secrets", "config/secrets.yml", around("production:\n  base: %s\n")},
	{"Django local settings", "shop/local_settings.py", around("DATABASES = {'default': {'X': '%s'}}\n")},
	{"WireGuard", "vpn/office.conf", func(m *maker, secret func(string) string) string {
		return "[Interface]\nPrivateKey = " + secret(m.of(base64, 43)) +
			"=\nAddress = 10.0.0.2/32\n\n[Peer]\nEndpoint = vpn.example:51820\n"
	}},
	{"OpenVPN", "vpn/office.ovpn", around("client\n<x>\n%s\n</x>\n")},
	{"wpa_supplicant", "wpa_supplicant.conf", around("network={\n  psk=\"%s\"\n}\n")},
	{"SFTP of an editor", "sftp-config.json", around(`{"host": "x", "pw": "%s"}`)},
	{"FileZilla", "FileZilla.xml", around("<FileZilla3><Server><Pass>%s</Pass></Server></FileZilla3>")},
	{"cookies", "cookies.txt", around("# Netscape HTTP Cookie File\nshop.example\tFALSE\t/\tTRUE\t0\tsession\t%s\n")},
	{"wallet", "keystore/UTC--2026", around(`{"crypto": {"ciphertext": "%s", "kdfparams": {}}}`)},
	{"recovery codes", "recovery-codes.txt", around("%s\n%s\n")},
	{"kaggle.json", "kaggle.json", around(`{"username": "me", "x": "%s"}`)},
	{"Composer's auth.json", "auth.json", around(`{"http-basic": {"x": {"y": "%s"}}}`)},
	{"Databricks", ".databrickscfg", around("[DEFAULT]\nx = %s\n")},
	{"Cargo credentials", ".cargo/credentials.toml", around("[registry]\nx = \"%s\"\n")},
	{"SSH key", ".ssh/id_ed25519", around("%s\n")},
	{"PuTTY key", "keys/office.ppk", around("PuTTY-User-Key-File-3: ssh-ed25519\n%s\n")},
	{"TLS key", "tls/server.key", around("%s\n")},
}

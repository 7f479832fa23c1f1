package secret

import "bytes"

// look reports whether an expression must run on the text around a keyword.
type look = func(data []byte, start, end int) bool

var quick = map[string]look{
	"twilio-api-key": func(d []byte, start, end int) bool {
		return d[start] == 'S' && d[start+1] == 'K' && hexRun(d[end:], 32)
	},
	"lob-api-key": behind(hexRun, 35),
	"sendgrid-api-token": func(d []byte, start, end int) bool {
		return d[start] == 'S' && d[start+1] == 'G' && tokenRun(d[end:], 60)
	},
	"authress-service-client-access-key": behind(tokenRun, 40),
	"twitter-bearer": func(d []byte, start, end int) bool { // only once in a run of the same letter
		return (start == 0 || d[start-1]|0x20 != 'a') && tokenRun(d[end:], 60)
	},
	"crates-io-token": behind(tokenRun, 32),
	"mailchimp-key":   func(d []byte, start, _ int) bool { return start >= 32 && hexRun(d[start-32:], 32) },
	"resend-api-key":  behind(tokenRun, 20),
	"url-password":    urlWithPassword,
	"airtable-pat":    func(d []byte, _, end int) bool { return end+14 < len(d) && d[end+14] == '.' },
	"curl-user": func(d []byte, start, _ int) bool {
		line := d[max(0, start-400):start]
		return bytes.Contains(line[bytes.LastIndexByte(line, '\n')+1:], []byte("curl"))
	},
}

func behind(run func(d []byte, n int) bool, n int) look {
	return func(d []byte, _, end int) bool { return run(d[end:], n) }
}

func upTo(d []byte, at, n int) []byte { return d[at:min(len(d), at+n)] }

func hasPrefixFold(d []byte, word string) bool {
	return len(d) >= len(word) && bytes.EqualFold(d[:len(word)], []byte(word))
}

func hexRun(d []byte, n int) bool {
	if len(d) < n {
		return false
	}
	for _, c := range d[:n] {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

func tokenRun(d []byte, n int) bool {
	if len(d) < n {
		return false
	}
	for _, c := range d[:n] {
		if !wordByte(c) && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

func urlWithPassword(d []byte, _, end int) bool {
	colon := false
	for _, c := range upTo(d, end, 200) {
		switch {
		case c == '@':
			return colon
		case c == ':':
			colon = true
		case c <= ' ' || c == '"' || c == '\'' || c == '/' || c == '<' || c == '>' || c == '`' || c == '{' || c == '}' ||
			c == '(' || c == ')' || c == '?':
			return false
		}
	}
	return false
}

// word matches a password as a word of a command. In quotes it may contain spaces.
const word = `(?:'([^'\n«]{6,64})'|"([^"$\n«]{6,64})"|["']?([^\s"'$|]{6,64}))`

const end = `(?:[^\w-]|$)`

// ownRules are formats of tokens that gitleaks' table lacks.
var ownRules = []rule{
	{id: "url-password", title: "password",
		expr:     `(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s:@/'"<>]{0,80}:((?:[^\s@/'"<>{}$%\[\]]|%[0-9a-f]{2}){4,120})@[\w.\[-]`,
		keywords: []string{"://"},
		allow: []string{
			`(?i)^(?:pass|password|passwd|pwd|secret|user|username|admin|root|test|token|postgres|guest|mysql|foo|bar|\d{1,5}|[a-z]{1,9}|[A-Z_]+|:.*)$|pass|example|\*\*`}},
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
	{id: "azure-storage-key", title: "Azure storage key",
		expr: `(?i)(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{42,88}={0,2})`, entropy: 4,
		keywords: []string{"accountkey=", "sharedaccesskey="}},
	{id: "azure-sas", title: "Azure SAS signature", expr: `[?&]sig=([A-Za-z0-9%+/]{40,100}(?:%3D|=){0,2})`, entropy: 4,
		keywords: []string{"sig="}},
	{id: "azure-devops-pat", title: "Azure DevOps PAT", expr: `\b([A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})\b`,
		keywords: []string{"azdo"}},
	{id: "google-oauth-secret", title: "Google OAuth secret", expr: `\b(GOCSPX-[\w-]{28})` + end,
		keywords: []string{"gocspx-"}},
	{id: "google-access-token", title: "Google access token", expr: `\b(ya29\.[\w-]{30,})` + end,
		keywords: []string{"ya29."}},
	{id: "google-refresh-token", title: "Google refresh token", expr: `\b(1//0[\w-]{40,120})` + end, entropy: 3.5,
		keywords: []string{"1//0"}},
	{id: "firebase-server-key", title: "Firebase server key", expr: `\b(AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{140})` + end,
		keywords: []string{":apa91b"}},
	{id: "telegram-bot-token", title: "Telegram bot token", expr: `\b(\d{8,10}:AA[\w-]{33})` + end,
		keywords: []string{":aa"}},
	{id: "discord-bot-token", title: "Discord bot token", expr: `\b([MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,40})` +
		end, entropy: 4, keywords: []string{"discord", "bot "}},
	{id: "discord-webhook", title: "Discord webhook", expr: `discord(?:app)?\.com/api/webhooks/\d{17,20}/([\w-]{60,80})`,
		keywords: []string{"/api/webhooks/"}},
	{id: "stripe-webhook-secret", title: "Stripe webhook secret", expr: `\b(whsec_[A-Za-z0-9+/=]{24,80})` + end,
		entropy: 3, keywords: []string{"whsec_"}},
	{id: "docker-hub-pat", title: "Docker Hub PAT", expr: `\b(dckr_(?:pat|oat)_[\w-]{27,40})` + end,
		keywords: []string{"dckr_"}},
	{id: "figma-token", title: "Figma token", expr: `\b(fig[dorh]_[\w-]{36,60})` + end, entropy: 3.5,
		keywords: []string{"figd_", "figo_", "figr_", "figh_"}},
	{id: "supabase-token", title: "Supabase token", expr: `\b(sb(?:p_[a-f0-9]{40}|_secret_[\w-]{24,60}))` + end,
		keywords: []string{"sbp_", "sb_secret_"}},
	{id: "groq-api-key", title: "Groq API key", expr: `\b(gsk_[A-Za-z0-9]{48,60})\b`, keywords: []string{"gsk_"}},
	{id: "xai-api-key", title: "xAI API key", expr: `\b(xai-[A-Za-z0-9]{60,90})\b`, keywords: []string{"xai-"}},
	{id: "anthropic-key", title: "Anthropic API key", expr: `\b(sk-ant-[a-z0-9]{3,12}-[\w-]{40,130})` + end,
		keywords: []string{"sk-ant-"}},
	{id: "openai-key", title: "OpenAI API key",
		expr: `\b(sk-(?:proj|svcacct|admin|None)-[\w-]{40,200}|sk-[A-Za-z0-9]{48})` + end, entropy: 3.5,
		keywords: []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-none-", "openai"}},
	{id: "openrouter-api-key", title: "OpenRouter API key", expr: `\b(sk-or-v1-[a-f0-9]{64})\b`,
		keywords: []string{"sk-or-v1-"}},
	{id: "replicate-api-token", title: "Replicate API token", expr: `\b(r8_[A-Za-z0-9]{37})\b`, keywords: []string{"r8_"}},
	{id: "tavily-api-key", title: "Tavily API key", expr: `\b(tvly-(?:dev-|prod-)?[A-Za-z0-9]{30,40})\b`,
		keywords: []string{"tvly-"}},
	{id: "langsmith-api-key", title: "LangSmith API key", expr: `\b(lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10})\b`,
		keywords: []string{"lsv2_"}},
	{id: "pinecone-api-key", title: "Pinecone API key", expr: `\b(pcsk_\w{60,80})\b`, keywords: []string{"pcsk_"}},
	{id: "nvidia-api-key", title: "NVIDIA API key", expr: `\b(nvapi-[\w-]{60,75})` + end, keywords: []string{"nvapi-"}},
	{id: "elevenlabs-api-key", title: "ElevenLabs API key", expr: `\b(sk_[a-f0-9]{48})\b`, keywords: []string{"sk_"}},
	{id: "resend-api-key", title: "Resend API key", expr: `\b(re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,30})\b`, entropy: 3.5,
		keywords: []string{"re_"}, allow: []string{`^re_[a-z_]+$`}},
	{id: "mailgun-key", title: "Mailgun key", expr: `\b(key-[a-f0-9]{32})\b`, entropy: 3, keywords: []string{"key-"}},
	{id: "mailchimp-key", title: "Mailchimp API key", expr: `\b([a-f0-9]{32}-us\d{1,2})\b`, entropy: 3,
		keywords: []string{"-us"}},
	{id: "mailersend-token", title: "MailerSend token", expr: `\b(mlsn\.[a-f0-9]{64})\b`, keywords: []string{"mlsn."}},
	{id: "tailscale-key", title: "Tailscale key",
		expr: `\b(tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]+-[A-Za-z0-9]{20,40})\b`, keywords: []string{"tskey-"}},
	{id: "render-api-key", title: "Render API key", expr: `\b(rnd_[A-Za-z0-9]{28,36})\b`, entropy: 3.5,
		keywords: []string{"rnd_"}},
	{id: "netlify-pat", title: "Netlify PAT", expr: `\b(nf[pouc]_[A-Za-z0-9]{36,44})\b`, entropy: 3.5,
		keywords: []string{"nfp_", "nfo_", "nfu_", "nfc_"}},
	{id: "crates-io-token", title: "crates.io token", expr: `\b(cio[A-Za-z0-9]{32})\b`, entropy: 3.8,
		keywords: []string{"cio"}, allow: []string{`^[a-z]+$`}},
	{id: "nuget-api-key", title: "NuGet API key", expr: `\b(oy2[a-z0-9]{43})\b`, entropy: 3, keywords: []string{"oy2"}},
	{id: "atlassian-api-token-3", title: "Atlassian API token", expr: `\b(AT(?:ATT|CTT)3[A-Za-z0-9_=-]{60,250})` + end,
		entropy: 3.5, keywords: []string{"atatt3", "atctt3"}},
	{id: "bitbucket-app-password", title: "Bitbucket app password", expr: `\b(ATBB[A-Za-z0-9]{24,40})\b`, entropy: 3.5,
		keywords: []string{"atbb"}},
	{id: "notion-secret", title: "Notion secret", expr: `\b(secret_[A-Za-z0-9]{43})\b`, entropy: 4,
		keywords: []string{"secret_"}},
	{id: "asana-token", title: "Asana token", expr: `\b([12]/\d{13,20}(?:/\d{13,20})?:[a-f0-9]{32})\b`,
		keywords: []string{"asana"}},
	{id: "airtable-pat", title: "Airtable PAT", expr: `\b(pat[A-Za-z0-9]{14}\.[a-f0-9]{64})\b`, keywords: []string{"pat"}},
	{id: "sonarqube-token", title: "SonarQube token", expr: `\b(sq[pua]_[a-f0-9]{40})\b`, keywords: []string{"sqp_",
		"squ_", "sqa_"}},
	{id: "circleci-token", title: "CircleCI token", expr: `\b(CCI(?:PAT|PRJ)_[A-Za-z0-9]{16,30}_[A-Fa-f0-9]{40})\b`,
		keywords: []string{"ccipat_", "cciprj_"}},
	{id: "buildkite-token", title: "Buildkite token", expr: `\b(bk(?:ua|at|ct|aj)_[A-Za-z0-9]{40,64})\b`, entropy: 3,
		keywords: []string{"bkua_", "bkat_", "bkct_", "bkaj_"}},
	{id: "doppler-token", title: "Doppler token",
		expr:     `\b(dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44})\b`,
		keywords: []string{"dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."}},
	{id: "contentful-pat", title: "Contentful PAT", expr: `\b(CFPAT-[\w-]{43})` + end, keywords: []string{"cfpat-"}},
	{id: "twitter-bearer", title: "Twitter bearer token", expr: `\b(A{20,24}[A-Za-z0-9%]{60,120})`, entropy: 3.5,
		keywords: []string{"aaaaaaaaaaaaaaaaaaaa"}},
	{id: "mapbox-secret", title: "Mapbox secret token", expr: `\b((?:sk|tk)\.eyJ[\w-]{20,200}\.[\w-]{20,30})` + end,
		keywords: []string{"sk.eyj", "tk.eyj"}},
	{id: "aws-mws-key", title: "AWS MWS key",
		expr: `\b(amzn\.mws\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})`, keywords: []string{"amzn.mws."}},
	{id: "slack-token", title: "Slack token", expr: `\b(xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{20,250})` + end, entropy: 3,
		keywords: []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xoxe-", "xoxe.xox"},
		allow:    []string{`^xox.-[a-z-]+$`}},
	{id: "square-secret", title: "Square secret", expr: `\b(sq0csp-[\w-]{43})` + end, keywords: []string{"sq0csp-"}},
	{id: "shopify-token", title: "Shopify token", expr: `\b(shp(?:at|ca|pa|ss|tk|ua)_[a-fA-F0-9]{32})\b`,
		keywords: []string{"shptk_", "shpua_"}},
	{id: "paypal-braintree", title: "Braintree access token",
		expr: `\b(access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32})\b`, keywords: []string{"access_token$"}},
	{id: "zapier-webhook", title: "Zapier webhook", expr: `hooks\.zapier\.com/hooks/catch/(\d+/\w{6,20})`,
		keywords: []string{"hooks.zapier.com"}},
	{id: "teams-webhook", title: "Teams webhook",
		expr: `(?:webhook\.office\.com|outlook\.office(?:365)?\.com)/webhook(?:b2)?/([\w@-]{36,110}/IncomingWebhook/\w{32}/[\w-]{36})`, keywords: []string{"incomingwebhook"}},
	{id: "cloudflare-token", title: "Cloudflare token", expr: `\b(cf(?:k|ut|at)_[A-Za-z0-9]{40,60})\b`,
		keywords: []string{"cfk_", "cfut_", "cfat_"}},
	{id: "vercel-token", title: "Vercel token", expr: `\b(vc[pkra]_[A-Za-z0-9]{24,60}|vercel_blob_rw_\w{30,60})\b`,
		entropy: 3.5, keywords: []string{"vcp_", "vck_", "vcr_", "vca_", "vercel_blob_rw_"}},
	{id: "grafana-token", title: "Grafana token", expr: `\b(gl(?:sa|c)_[A-Za-z0-9+/=_]{32,400})`, entropy: 3.5,
		keywords: []string{"glsa_", "glc_"}},
	{id: "new-relic-key", title: "New Relic key",
		expr: `\b(NR(?:AK|II|IQ|RA|AA)-[A-Za-z0-9-]{19,42}|[a-f0-9]{36}NRAL)\b`, keywords: []string{"nrak-", "nrii-",
			"nriq-", "nrra-", "nral"}},
	{id: "pulumi-token", title: "Pulumi token", expr: `\b(pul-[a-f0-9]{40})\b`, keywords: []string{"pul-"}},
	{id: "posthog-key", title: "PostHog personal key", expr: `\b(phx_[A-Za-z0-9]{40,60})\b`, keywords: []string{"phx_"}},
	{id: "sentry-token", title: "Sentry token", expr: `\b(sntr(?:ys|yu)_[A-Za-z0-9+/=_]{40,300})`,
		keywords: []string{"sntrys_", "sntryu_"}},
	{id: "sentry-dsn-secret", title: "Sentry DSN", expr: `https://[a-f0-9]{32}:([a-f0-9]{32})@[\w.-]*sentry`,
		keywords: []string{"sentry"}},
	{id: "typeform-token", title: "Typeform token", expr: `\b(tfp_[\w.=-]{40,64})` + end, keywords: []string{"tfp_"}},
	{id: "age-plugin-key", title: keyTitle, expr: `\b(AGE-(?:SECRET-KEY|PLUGIN-[A-Z0-9-]{1,30})-1[0-9A-Z]{20,200})\b`,
		keywords: []string{"age-secret-key-1", "age-plugin-"}},
	{id: "mnemonic", title: "recovery phrase",
		expr:     `(?i)(?:mnemonic|seed[_ -]?phrase|recovery[_ -]?phrase|secret[_ -]?phrase)["']?\s{0,3}(?::=|[:=])\s{0,3}["']?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b`,
		keywords: []string{"mnemonic", "phrase"}},
	{id: "aws-session-token", title: "AWS session token", expr: `\b((?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[A-Za-z0-9+/=]{100,})`,
		keywords: []string{"fwogzxivyxdz", "iqojb3jpz2lu"}},
	{id: "facebook-token", title: "Facebook token", expr: `\b(EAA[A-Za-z0-9]{90,260})\b`, entropy: 4,
		keywords: []string{"eaa"}},
	{id: "hashicorp-terraform-token", title: "Terraform token",
		expr: `\b([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,90})` + end, keywords: []string{".atlasv1."}},
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
		expr: `\b(?:mysql\w*|mariadb\S*)\b[^\n|;&]{0,200}?[\s"']-p(?:["'], ?["']|["']?)([^\s"'-][^\s"']{5,127})|(?:_mysql\w*|docker login|podman login|registry login|redis-cli|sqlcmd|mongo\w*|htpasswd|smbclient|ldap\w+|` +
			`oc login|az login|cf login|unzip|zip|7z|plink|pscp|psftp|psexec|xfreerdp|rdesktop|mosquitto_\w+|ipmitool|ftp|sshpass|openssl|keytool|sqlplus|bcp)\b[^\n|;&]{0,200}?[\s"']-(?:p|P|w|a|pw|k)(?:["'], ?["']|[ =]?["']?)([^\s"'-][^\s"']{5,127})`,
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
			return bytes.ContainsAny(rest, "0123456789") &&
				(d[start] == '@' || bytes.ContainsAny(d[end:start+len(rest)], ":/,%(") || bytes.Contains(rest, []byte("\" to ")))
		},
		keywords: []string{"login[", "login:", "login =", "login := ", "cred ", "cred =", "admin =", "admin:",
			"userpwd", "auth\"", "auth'", "auth=", "auth:", "auth =", "creds", "credentials", "login=",
			"userpass", "thin:", "btoa(", "b64encode(", "base64_encode(",
			"stats auth ", "sqlplus ", "impdp ", "expdp ", "@tcp(", "@unix("},
		expr: `(?i)(?:(?:userpwd|auth|creds|credentials|login|userpass)["']?\]?\s?(?:=>|[:=,]){1,2}\s?["']?|stats auth |thin:|(?:sqlplus|impdp|expdp)(?: -\w{1,20}){0,4} )` +
			`[\w.@-]{1,40}[:/]([^\s"'@/:,;]{6,64})(?:["'@\s,;]|$)|["'=\s][\w.-]{1,40}:([^\s"'@/:]{6,64})@(?:tcp|unix)\(|` +
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
			`net use \S{1,80} (?:\\\\\S{1,80} )?([^\s/\\]{6,64}) /user:|/user:\S{1,80} ([^\s/\\]{6,64})|net user \S{1,80} ([^\s/]{6,64})|` +
			`/(?:pass|rp)[: ]` + word + `|htpasswd -\w{0,9}b\w{0,9} \S{1,80} \S{1,80} ` + word + `|(?:smbclient|lftp)[^\n]{0,80} -(?:U|u) ["']?[\w.\\/]{1,40}[%,]` + word + `|send (?:-- )?"([^\s"\\]{6,64})\\[rn]"`},
	{id: "unix-password", title: "password", chosen: true, keywords: []string{"chpasswd"},
		expr: `[\w.-]{1,40}:([^\s"':|]{6,128})["']?\s*\|\s*(?:sudo\s+)?chpasswd|chpasswd[^\n]{0,20}<<< ?["']?\w{1,40}:([^\s"']{6,64})|chpasswd:\s{1,20}(?:\w+: \w+\s{1,20})?list: ?\|?[\s"-]{1,20}\w{1,40}:(\S{6,64})`},
	{id: "form-password", title: "password", chosen: true, keywords: []string{"password", "passwd"},
		expr: `(?i)passw(?:or)?d[^\n"'` + "`" + `]{0,20}["'` + "`" + `][^\n;]{0,20}?(?:fill|type|send_?keys)\(\s*["']([^"'\n]{6,128})["']`,
		quick: func(d []byte, _, end int) bool {
			return bytes.Contains(lineFrom(d, end, 48), []byte(")."))
		}},
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
		quick: func(d []byte, _, end int) bool { return bytes.ContainsAny(lineFrom(d, end, 200), "0123456789") },
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
	{id: "account-key", title: keyTitle, keywords: []string{"accounts"},
		expr: `accounts["']?\s*[:=]\s*\[\s*["']?((?:0x)?[0-9a-fA-F]{64})\b`},
	{id: "ssh-password", title: "password", expr: `\bsshpass[^\n-]{1,20}-p(?:\s?'([^'\n]{4,80})'|\s?"([^"$\n]{4,80})"|[\s"',]{0,4}([^\s"'$,]{4,80}))`, keywords: []string{"sshpass"}},
	{id: "netrc-password", title: "password", expr: `(?m)^\s*machine\s+\S+\s+login\s+\S+\s+password\s+(\S{4,200})`,
		keywords: []string{"machine "}},
}

// ownNamed are rules for values recognized by the service's name.
var ownNamed = []rule{
	{id: "aws-secret-key", title: "AWS secret key", expr: `^[A-Za-z0-9/+]{40}$`, keywords: []string{"aws_secret",
		"awssecret", "secretaccesskey", "secret_access_key", "aws-secret"}},
	{id: "vault-token", title: "Vault token", expr: `^[sb]\.[A-Za-z0-9]{24}$`, keywords: []string{"vault"}},
	{id: "wandb-api-key", title: "W&B API key", expr: `^[a-f0-9]{40}$`, keywords: []string{"wandb"}},
	{id: "kaggle-key", title: "Kaggle key", expr: `^[a-f0-9]{32}$`, keywords: []string{"kaggle"}},
	{id: "twilio-auth-token", title: "Twilio auth token", expr: `^[a-f0-9]{32}$`, keywords: []string{"twilio"}},
	{id: "pagerduty-key", title: "PagerDuty key", expr: `^(?:[a-f0-9]{32}|[A-Za-z0-9_+-]{20})$`,
		keywords: []string{"pagerduty"}},
	{id: "segment-write-key", title: "Segment write key", expr: `^[A-Za-z0-9]{32}$`, keywords: []string{"segment_write",
		"segmentwrite"}},
	{id: "vercel-named", title: "Vercel token", expr: `^[A-Za-z0-9]{24}$`, keywords: []string{"vercel_token",
		"verceltoken"}},
	{id: "ethereum-key", title: keyTitle, expr: `^(?:0x)?[a-fA-F0-9]{64}$`, keywords: []string{"private_key",
		"privatekey", "wallet_key", "deployer_key"}},
	{id: "algolia-admin", title: "Algolia admin key", expr: `^[a-f0-9]{32}$`, keywords: []string{"algolia"}},
}

package corpus

import "strings"

// tokenKind is a kind of token, after its service's documentation.
type tokenKind struct {
	kind  string
	name  string // the variable it is usually kept in
	named bool   // the value alone says nothing: it stands behind its name
	make  func(m *maker) string
}

func form(prefix, alphabet string, n int) func(m *maker) string {
	return func(m *maker) string { return prefix + m.of(alphabet, n) }
}

var tokenKinds = []tokenKind{
	{"aws-access-key", "AWS_ACCESS_KEY_ID", false, form("AK"+"IA", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)},
	{"aws-secret-key", "AWS_SECRET_ACCESS_KEY", true, form("", base64, 40)},
	{"aws-session-token", "AWS_SESSION_TOKEN", true, func(m *maker) string { return "IQoJb3JpZ2lu" + m.of(base64, 300) }},
	{"gcp-api-key", "GOOGLE_API_KEY", false, func(m *maker) string { return "AI" + "za" + m.url(35) }},
	{"google-oauth-secret", "GOOGLE_CLIENT_SECRET", false, func(m *maker) string { return "GOC" + "SPX-" + m.url(28) }},
	{"google-access-token", "GOOGLE_TOKEN", false, func(m *maker) string { return "ya" + "29." + m.url(120) }},
	{"azure-client-secret", "AZURE_CLIENT_SECRET", false, func(m *maker) string {
		return m.alnum(3) + "8Q~" +
			m.alnum(34)
	}},
	{"azure-storage", "AZURE_STORAGE_CONNECTION", false, func(m *maker) string {
		return "DefaultEndpointsProtocol=https;AccountName=shop;Account" + "Key=" + m.of(base64, 86) + "=="
	}},
	{"github-pat", "GITHUB_TOKEN", false, form("gh"+"p_", alnum, 36)},
	{"github-fine-grained", "GITHUB_TOKEN", false, func(m *maker) string {
		return "github" + "_pat_" + m.alnum(22) +
			"_" + m.alnum(59)
	}},
	{"github-oauth", "GITHUB_OAUTH", false, form("gh"+"o_", alnum, 36)},
	{"github-app", "GITHUB_APP_TOKEN", false, form("gh"+"s_", alnum, 36)},
	{"gitlab-pat", "GITLAB_TOKEN", false, func(m *maker) string { return "gl" + "pat-" + m.url(20) }},
	{"gitlab-runner", "RUNNER_TOKEN", false, func(m *maker) string { return "gl" + "rt-" + m.url(20) }},
	{"gitlab-deploy", "DEPLOY_TOKEN", false, func(m *maker) string { return "gl" + "dt-" + m.url(20) }},
	{"bitbucket-app-password", "BITBUCKET_APP_PASSWORD", false, form("AT"+"BB", alnum, 32)},
	{"atlassian", "JIRA_API_TOKEN", false, func(m *maker) string {
		return "ATA" + "TT3" + m.url(180) + "=" +
			m.of("0123456789ABCDEF", 8)
	}},
	{"slack-bot", "SLACK_BOT_TOKEN", false, func(m *maker) string {
		return "xo" + "xb-" + m.of(digits, 12) + "-" + m.of(digits, 12) + "-" + m.alnum(24)
	}},
	{"slack-user", "SLACK_TOKEN", false, func(m *maker) string {
		return "xo" + "xp-" + m.of(digits, 12) + "-" + m.of(digits, 12) + "-" + m.of(digits, 12) + "-" + m.hex(32)
	}},
	{"slack-app", "SLACK_APP_TOKEN", false, func(m *maker) string {
		return "xa" + "pp-1-A" + m.of(digits+upper, 10) + "-" + m.of(digits, 13) + "-" + m.hex(64)
	}},
	{"slack-webhook", "SLACK_WEBHOOK", false, func(m *maker) string {
		return "https://hooks.slack.com/ser" + "vices/T" + m.of(digits+upper, 10) + "/B" + m.of(digits+upper, 10) + "/" +
			m.alnum(24)
	}},
	{"discord-bot", "DISCORD_TOKEN", true, func(m *maker) string {
		return "M" + m.alnum(25) + "." + m.alnum(6) + "." +
			m.url(38)
	}},
	{"discord-webhook", "DISCORD_WEBHOOK", false, func(m *maker) string {
		return "https://discord.com/api/web" + "hooks/1" + m.of(digits, 18) + "/" + m.url(68)
	}},
	{"telegram-bot", "TELEGRAM_BOT_TOKEN", false, func(m *maker) string {
		return "7" + m.of(digits, 9) + ":A" + "A" +
			m.url(33)
	}},
	{"teams-webhook", "TEAMS_WEBHOOK", false, func(m *maker) string {
		return "https://shop.webhook.office.com/webhook" + "b2/" + m.uuid() + "@" + m.uuid() + "/IncomingWebhook/" +
			m.hex(32) + "/" + m.uuid()
	}},
	{"stripe-live", "STRIPE_SECRET_KEY", false, form("sk"+"_live_", alnum, 99)},
	{"stripe-restricted", "STRIPE_KEY", false, form("rk"+"_live_", alnum, 24)},
	{"stripe-webhook", "STRIPE_WEBHOOK_SECRET", false, form("wh"+"sec_", alnum, 32)},
	{"square", "SQUARE_TOKEN", false, func(m *maker) string { return "sq0" + "atp-" + m.url(22) }},
	{"shopify", "SHOPIFY_TOKEN", false, form("shp"+"at_", hexes, 32)},
	{"paypal-braintree", "BRAINTREE_TOKEN", false, func(m *maker) string {
		return "access" + "_token$production$" + m.of(digits+lower, 16) + "$" + m.hex(32)
	}},
	{"twilio-key", "TWILIO_API_KEY", false, form("S"+"K", hexes, 32)},
	{"twilio-auth", "TWILIO_AUTH_TOKEN", true, form("", hexes, 32)},
	{"sendgrid", "SENDGRID_API_KEY", false, func(m *maker) string { return "S" + "G." + m.url(22) + "." + m.url(43) }},
	{"mailgun", "MAILGUN_API_KEY", false, form("key"+"-", hexes, 32)},
	{"mailchimp", "MAILCHIMP_API_KEY", false, func(m *maker) string { return m.hex(32) + "-us" + m.of("123456789", 1) }},
	{"brevo", "BREVO_API_KEY", false, func(m *maker) string { return "xkey" + "sib-" + m.hex(64) + "-" + m.alnum(16) }},
	{"postman", "POSTMAN_API_KEY", false, func(m *maker) string { return "PM" + "AK-" + m.hex(24) + "-" + m.hex(34) }},
	{"npm", "NPM_TOKEN", false, form("np"+"m_", alnum, 36)},
	{"pypi", "TWINE_PASSWORD", false, func(m *maker) string { return "pypi-AgEIcHlwaS" + "5vcmc" + m.url(150) }},
	{"rubygems", "GEM_HOST_API_KEY", false, form("ruby"+"gems_", hexes, 48)},
	{"crates-io", "CARGO_REGISTRY_TOKEN", false, form("ci"+"o", alnum, 32)},
	{"nuget", "NUGET_API_KEY", false, form("oy"+"2", digits+lower, 43)},
	{"docker-hub", "DOCKER_TOKEN", false, func(m *maker) string { return "dckr" + "_pat_" + m.url(27) }},
	{"openai-project", "OPENAI_API_KEY", false, func(m *maker) string {
		return "sk" + "-proj-" + m.url(74) + "T3Blbk" + "FJ" + m.url(74)
	}},
	{"openai-old", "OPENAI_API_KEY", false, func(m *maker) string {
		return "s" + "k-" + m.alnum(20) + "T3Blbk" + "FJ" +
			m.alnum(20)
	}},
	{"anthropic", "ANTHROPIC_API_KEY", false, func(m *maker) string { return "sk" + "-ant-api03-" + m.url(93) + "AA" }},
	{"huggingface", "HF_TOKEN", false, form("h"+"f_", lower+upper, 34)},
	{"groq", "GROQ_API_KEY", false, form("gs"+"k_", alnum, 52)},
	{"replicate", "REPLICATE_API_TOKEN", false, form("r"+"8_", alnum, 37)},
	{"perplexity", "PPLX_API_KEY", false, form("pp"+"lx-", alnum, 48)},
	{"openrouter", "OPENROUTER_API_KEY", false, form("sk"+"-or-v1-", hexes, 64)},
	{"cohere", "COHERE_API_KEY", true, form("", alnum, 40)},
	{"pinecone", "PINECONE_API_KEY", false, form("pc"+"sk_", alnum, 69)},
	{"digitalocean", "DIGITALOCEAN_TOKEN", false, form("do"+"p_v1_", hexes, 64)},
	{"heroku", "HEROKU_API_KEY", true, func(m *maker) string { return m.uuid() }},
	{"cloudflare", "CLOUDFLARE_API_TOKEN", true, func(m *maker) string { return m.url(40) }},
	{"fly-io", "FLY_API_TOKEN", false, func(m *maker) string { return "fo" + "1_" + m.url(43) }},
	{"netlify", "NETLIFY_AUTH_TOKEN", true, func(m *maker) string { return "nf" + "p_" + m.alnum(36) }},
	{"vercel", "VERCEL_TOKEN", true, func(m *maker) string { return m.alnum(24) }},
	{"render", "RENDER_API_KEY", false, form("rn"+"d_", alnum, 32)},
	{"supabase", "SUPABASE_ACCESS_TOKEN", false, form("sb"+"p_", hexes, 40)},
	{"planetscale", "PLANETSCALE_PASSWORD", false, func(m *maker) string { return "pscale" + "_pw_" + m.url(43) }},
	{"databricks", "DATABRICKS_TOKEN", false, form("da"+"pi", hexes, 32)},
	{"vault", "VAULT_TOKEN", false, func(m *maker) string { return "hv" + "s." + m.url(95) }},
	{"terraform-cloud", "TF_TOKEN", false, func(m *maker) string { return m.alnum(14) + ".at" + "lasv1." + m.url(67) }},
	{"doppler", "DOPPLER_TOKEN", false, form("dp"+".pt.", alnum, 43)},
	{"pulumi", "PULUMI_ACCESS_TOKEN", false, form("pu"+"l-", hexes, 40)},
	{"tailscale", "TS_AUTHKEY", false, func(m *maker) string {
		return "ts" + "key-auth-k" + m.alnum(10) + "CNTRL-" +
			m.alnum(32)
	}},
	{"datadog", "DATADOG_APP_KEY", true, form("", hexes, 40)},
	{"new-relic", "NEW_RELIC_API_KEY", false, form("NR"+"AK-", digits+upper, 27)},
	{"sentry-user", "SENTRY_AUTH_TOKEN", false, form("sntr"+"yu_", hexes, 64)},
	{"grafana", "GRAFANA_TOKEN", false, func(m *maker) string { return "gl" + "sa_" + m.alnum(32) + "_" + m.hex(8) }},
	{"sonarqube", "SONAR_TOKEN", false, form("sq"+"u_", hexes, 40)},
	{"snyk", "SNYK_TOKEN", true, func(m *maker) string { return m.uuid() }},
	{"circleci", "CIRCLE_TOKEN", false, func(m *maker) string { return "CCI" + "PAT_" + m.alnum(22) + "_" + m.hex(40) }},
	{"buildkite", "BUILDKITE_TOKEN", false, form("bk"+"ua_", hexes, 40)},
	{"linear", "LINEAR_API_KEY", false, form("lin"+"_api_", alnum, 40)},
	{"notion", "NOTION_TOKEN", false, func(m *maker) string { return "nt" + "n_" + m.of(digits, 11) + m.alnum(35) }},
	{"airtable", "AIRTABLE_TOKEN", false, func(m *maker) string { return "pa" + "t" + m.alnum(14) + "." + m.hex(64) }},
	{"asana", "ASANA_TOKEN", true, func(m *maker) string { return "1/12" + m.of(digits, 14) + ":" + m.hex(32) }},
	{"figma", "FIGMA_TOKEN", false, func(m *maker) string { return "fi" + "gd_" + m.url(40) }},
	{"dropbox", "DROPBOX_TOKEN", true, func(m *maker) string { return "s" + "l." + m.url(135) }},
	{"mapbox-secret", "MAPBOX_TOKEN", false, func(m *maker) string {
		return "s" + "k.ey" + "J" + m.alnum(80) + "." +
			m.url(22)
	}},
	{"facebook", "FACEBOOK_TOKEN", false, form("EA"+"A", alnum, 170)},
	{"twitter-bearer", "TWITTER_BEARER", false, func(m *maker) string { return strings.Repeat("A", 22) + m.alnum(90) }},
	{"algolia", "ALGOLIA_API_KEY", true, form("", hexes, 32)},
	{"okta", "OKTA_API_TOKEN", true, func(m *maker) string { return "00" + m.url(40) }},
	{"age", "AGE_KEY", false, form("AGE-SECRET"+"-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)},
	{"1password", "OP_SERVICE_ACCOUNT_TOKEN", false, func(m *maker) string { return "ops_" + "eyJ" + m.of(base64, 400) }},
	{"jwt", "SESSION_JWT", false, func(m *maker) string {
		return "ey" + "JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.ey" + "J" + m.alnum(90) + "." + m.url(43)
	}},
	{"postgres-url", "DATABASE_URL", false, func(m *maker) string {
		return "postgres://shop:" + m.alnum(18) +
			"@db.internal:5432/shop"
	}},
	{"mongodb-url", "MONGO_URL", false, func(m *maker) string {
		return "mongodb+srv://shop:" + m.alnum(16) + "@cluster0.ab1cd.mongodb.net/shop"
	}},
	{"redis-url", "REDIS_URL", false, func(m *maker) string { return "redis://default:" + m.alnum(32) + "@cache:6379/0" }},
	{"amqp-url", "AMQP_URL", false, func(m *maker) string {
		return "amqps://shop:" + m.alnum(20) +
			"@queue.internal/shop"
	}},
	{"generic-api-key", "SHOP_API_KEY", true, form("", alnum, 32)},
	{"generic-secret", "SHOP_CLIENT_SECRET", true, form("", hexes, 64)},
	{"django-secret", "SECRET_KEY", true, func(m *maker) string { return m.of(lower+digits, 44) + m.of(digits, 2) }},
	{"bearer-header", "SERVICE_HEADER", false, func(m *maker) string { return "Authorization: Bearer " + m.alnum(40) }},
	{"basic-header", "SERVICE_HEADER", false, func(m *maker) string { return "Authorization: Basic " + m.alnum(32) }},
}

package corpus

// harmless are files of what looks like secrets and is none: each text in kept must stay.
func harmless() []Document {
	keep := func(path string, kept ...string) Document {
		d := Document{Path: path, Kept: kept}
		for _, k := range kept {
			d.Text += k + "\n"
		}
		return d
	}
	return []Document{
		keep("src/login.ts", "export async function login(email: string, password: string) {",
			"const password = form.get('password')",
			"if (password === '') throw new Error('no password')", "tokenType: 'Bearer'",
			"const token = await nextToken(stream2)"),
		keep("src/config.py", "password = os.environ['DB_PASSWORD']", "SECRET_KEY = get_secret('shop/secret_key')",
			"api_key = settings.API_KEY_V2"),
		keep("deploy/app.yaml", "password: ${DB_PASSWORD}", "token: {{ .Values.token }}", "secretName: shop-tls-2026",
			"image: shop@sha256:"+
				"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
		keep("config/prod.env.example", "DB_PASSWORD=change-me", "API_KEY=your-api-key-here-123"),
		keep("infra/terraform.tfvars.sample", "db_password = \"example-password-1\""),
		keep("wp-config-sample.php", "define('DB_PASSWORD', 'password_here');"),
		keep("go.sum", "github.com/stretchr/testify v1.8.4 h1:CcVxjf3Q8PM0mHUKJCdn+eZZtm5yQwehR5yeSVQQcUk="),
		keep("docs/hashes.md", "commit 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12", "id 550e8400-e29b-41d4-a716-446655440000",
			"integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="),
		keep("docs/aws.md", "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE", "postgres://user:password@localhost/db",
			"https://user:pass@example.com"),
		keep("src/detect.go",
			`if bytes.Contains(b, []byte("-----BEGIN RSA PRIVATE`+
				` KEY-----")) || bytes.Contains(b, []byte("-----END RSA PRIVATE`+` KEY-----")) {`),
		keep("docs/secrets.md", "keep the password secret; a token: what is given back"),
		keep("web/form.html", `<input type="password" name="password" id="password2" autocomplete="current-password">`),
		keep("deploy/sealed.yaml", "kind: SealedSecret", "  encryptedData: AgBy3i4OJSWK+PiTySYZZA9rO43cGDEq"),
		keep("deploy/helm-secret.yaml", "kind: Secret", "data:", "  password: {{ .Values.password | b64enc }}"),
	}
}

package quality

// pinned are the projects: small to middling, of sixteen languages, halved so that each half has most kinds of language.
var pinned = []Project{
	{Name: "chi", Half: Dev, Language: "go", Client: GoMod, Package: "github.com/go-chi/chi/v5", Version: "v5.2.0", SHA256: "9c5f3c4f6f6cc93c5750f70c13bf0b99504f7ee63c6e0b0ef3b07f2d5782241d"},
	{Name: "requests", Half: Dev, Language: "python", Client: Pip, Package: "requests", Version: "2.32.3", SHA256: "55365417734eb18255590a9ff9eb97e9e1da868d4ccd6402399eaf68af20a760"},
	{Name: "fastify", Half: Dev, Language: "javascript", Client: Npm, Package: "fastify", Version: "5.2.1", SHA256: "2dd949f389d412199fb0cf1141f2ed0aadccdee4d8e93f9597b2c3009aa424ac"},
	{Name: "query", Half: Dev, Language: "typescript", Client: Npm, Package: "@tanstack/query-core", Version: "5.62.8", SHA256: "3e027c391d9bd3713b6efe867ce6d00a17e456784db5538d40acd55af80e1ca9", Keep: "src"},
	{Name: "hyper", Half: Dev, Language: "rust", Client: Cargo, Package: "hyper", Version: "1.5.2", SHA256: "256fb8d4bd6413123cc9d91832d78325c48ff41677595be797d90f42969beae0"},
	{Name: "gson", Half: Dev, Language: "java", Client: Maven, Package: "com.google.code.gson:gson", Version: "2.11.0", SHA256: "49a853f71bc874ee1898a4ad5009b57d0c536e5a998b3890253ffbf4b7276ad3"},
	{Name: "koin", Half: Dev, Language: "kotlin", Client: Maven, Package: "io.insert-koin:koin-core-jvm", Version: "4.0.1", SHA256: "f4201a7309518ed5ad1ba6de7207a8e23682cc6fe7cf778a1cf41adba3af94fc"},
	{Name: "lua", Half: Dev, Language: "c", Client: Cargo, Package: "lua-src", Version: "547.0.0", SHA256: "1edaf29e3517b49b8b746701e5648ccb5785cde1c119062cbabbc5d5cd115e42", Root: "lua-5.4.7"},
	{Name: "pythonnet", Half: Dev, Language: "csharp", Client: Pip, Package: "pythonnet", Version: "3.0.5", SHA256: "48e43ca463941b3608b32b4e236db92d8d40db4c58a75ace902985f76dac21cf"},
	{Name: "rack", Half: Dev, Language: "ruby", Client: Apt, Package: "ruby-rack", Version: "2.2.22-0+deb12u2", SHA256: "7ba26a66f6981b48ac604c9b829de51bdfc5d5ec8f329cf823b0aab72f718354", Root: "usr/share/rubygems-integration/all/gems/rack-2.2.22"},
	{Name: "bats", Half: Dev, Language: "bash", Client: Npm, Package: "bats", Version: "1.11.1", SHA256: "1d8a88fc70bc5a518c7cf17e5201b80b24e9475be95abe6508b3197a64b73365"},

	{Name: "bbolt", Half: Test, Language: "go", Client: GoMod, Package: "go.etcd.io/bbolt", Version: "v1.3.11", SHA256: "d1651f094029c4f637fb8a39fee47dd146b41ae77eec79aac431a557f8656b0a"},
	{Name: "flask", Half: Test, Language: "python", Client: Pip, Package: "flask", Version: "3.1.0", SHA256: "5f873c5184c897c8d9d1b05df1e3d01b14910ce69607a117bd3277098a5836ac"},
	{Name: "commander", Half: Test, Language: "javascript", Client: Npm, Package: "commander", Version: "13.0.0", SHA256: "f3c8ff958f6a28c37e40d53cf7c4a61f92a68689458b7a6daa6eb99a775c9150"},
	{Name: "rxjs", Half: Test, Language: "typescript", Client: Npm, Package: "rxjs", Version: "7.8.1", SHA256: "c532167725ab7d085123209156c93cef22f2479cb9c8527060f1cd903aa9d149", Keep: "src"},
	{Name: "ureq", Half: Test, Language: "rust", Client: Cargo, Package: "ureq", Version: "2.12.1", SHA256: "02d1a66277ed75f640d608235660df48c8e3c19f3b4edb6a263315626cc3c01d"},
	{Name: "jsoup", Half: Test, Language: "java", Client: Maven, Package: "org.jsoup:jsoup", Version: "1.18.3", SHA256: "b7abfa342351bab47ea94cf48da1d10566b14c960e848528e65e9e2277187554"},
	{Name: "okhttp", Half: Test, Language: "kotlin", Client: Maven, Package: "com.squareup.okhttp3:okhttp", Version: "4.12.0", SHA256: "d91a769a4140e542cddbac4e67fcf279299614e8bfd53bd23b85e60c2861341c"},
	{Name: "oslib", Half: Test, Language: "scala", Client: Maven, Package: "com.lihaoyi:os-lib_2.13", Version: "0.11.3", SHA256: "2515e5bc9add3d846ea6f49f8f384197355dc138c1cecff96dfbc5a5e1b122d4"},
	{Name: "hiredis", Half: Test, Language: "c", Client: Pip, Package: "hiredis", Version: "3.1.0", SHA256: "51d40ac3611091020d7dea6b05ed62cb152bff595fa4f931e7b6479d777acf7c", Root: "vendor/hiredis"},
	{Name: "leveldown", Half: Test, Language: "cpp", Client: Npm, Package: "leveldown", Version: "6.1.1", SHA256: "fe534f13e475826331c9cd59f279f073c3238e4db2ff2c930e17a786ba0f4f01"},
	{Name: "capacitor", Half: Test, Language: "swift", Client: Npm, Package: "@capacitor/ios", Version: "6.2.0", SHA256: "6b4f2d8b2dd8259a5f910e223b8f1a7a80ec05916bc3a1e5816a6aa7b2788f8f"},
	{Name: "twig", Half: Test, Language: "php", Client: Apt, Package: "php-twig", Version: "3.5.1-1+deb12u3", SHA256: "a0ac1c8c28830e506ed8bd035d7dde4a2e9481adc7ce0138305576cab4c277c1", Root: "usr/share/php"},
	{Name: "penlight", Half: Test, Language: "lua", Client: Apt, Package: "lua-penlight", Version: "1.13.1-3", SHA256: "69918434ee650d06aa470d49ba05a1a16ae43e66b8216e135cc5075f7d5d9ff3", Root: "usr/share/lua/5.1"},

	// The fresh part: its questions were written before they were asked, and no constant was chosen by them.
	{Name: "raft", Half: Fresh, Language: "go", Client: GoMod, Package: "github.com/hashicorp/raft", Version: "v1.7.1", SHA256: "92e730b317663d60895ca43ff8d1c991b6df11dfc6b767f209a796540a00bf43"},
	{Name: "starlette", Half: Fresh, Language: "python", Client: Pip, Package: "starlette", Version: "0.41.3", SHA256: "0e4ab3d16522a255be6b28260b938eae2482f98ce5cc934cb08dce8dc3ba5835"},
	{Name: "axum", Half: Fresh, Language: "rust", Client: Cargo, Package: "axum", Version: "0.7.9", SHA256: "edca88bc138befd0323b20752846e6587272d3b03b0343c8ea28a6f819e6e71f"},
	{Name: "toolkit", Half: Fresh, Language: "typescript", Client: Npm, Package: "@reduxjs/toolkit", Version: "2.5.0", SHA256: "73fd6e95612c85870a4bb1967420f62364f760689ee02a41214d1b3fb23e95fc", Keep: "src"},
	{Name: "hikari", Half: Fresh, Language: "java", Client: Maven, Package: "com.zaxxer:HikariCP", Version: "6.2.1", SHA256: "0aef16fa0099e3452d8bc9bdd57f27281e40c5a104f6f3a4405cedf20d9b5ec5"},
	{Name: "monolog", Half: Fresh, Language: "php", Client: Apt, Package: "php-monolog", Version: "2.9.1-1", SHA256: "f8a26688b521e33cf6ef73b75ae5eac0cb026d986a336161456dd37dbb710681", Root: "usr/share/php/Monolog"},
}

package session

import "testing"

func TestFilePath(t *testing.T) {
	for _, test := range []struct {
		uri     string
		windows bool
		want    string
	}{
		{"file:///home/me/a%20b", false, "/home/me/a b"},
		{"file://localhost/home/me", false, "/home/me"},
		{"file://wsl.localhost/Debian/home", false, ""},
		{"https://example.org/x", false, ""},
		{"file:///c%3A/Users/me/code", true, `c:\Users\me\code`}, // as VS Code writes it
		{"file:///C:/Users/me/code", true, `C:\Users\me\code`},
		{"file://wsl.localhost/Ubuntu-24.04/home/me", true, `\\wsl.localhost\Ubuntu-24.04\home\me`},
		{"file://wsl$/Debian/home/me", true, `\\wsl$\Debian\home\me`},
		{"file://server/share/code", true, ""},
		{"file://///server/share/code", true, ""},
		{"file:///%5C%5Cserver%5Cshare", true, ""},
		{"http://wsl.localhost/x", true, ""},
		{"file://[/", true, ""},
	} {
		if got := filePath(test.uri, test.windows); got != test.want {
			t.Errorf("%s: %q, want %q", test.uri, got, test.want)
		}
	}
}

package session

import "testing"

func TestRemoteHost(t *testing.T) {
	for path, want := range map[string]string{
		`C:\code`: "", `C:/code`: "", `\code`: "", `code\x`: "", ``: "", `.`: "", `~/code`: "",
		`\\?\C:\code`: "", `\\.\C:\code`: "", `\??\C:\code`: "",
		`\\wsl$\Debian\home`: "", `//wsl.localhost/Debian/home`: "", `\\?\UNC\wsl$\Debian`: "",
		`\\Server\share\code`: "server", `//server/share`: "server", `\/server\share`: "server", `\\10.0.0.7\c$`: "10.0.0.7",
		`\\?\UNC\server\share`: "server", `\\?\unc\server\share`: "server", `\\.\UNC\server\share`: "server",
		`\??\UNC\server\share`: "server",
		`//?/UNC/server/share`: "server", `\\evil@SSL\DavWWWRoot`: "evil@ssl",
		`\\server`: "?", `\\server\..\evil\share`: "?", `\\..\evil\share`: "?", `\\\server\share`: "?",
		`\\?\GLOBALROOT\Device\Mup\server\share`: "?", `\\.\pipe\x`: "?", `\\?\Volume{1}\x`: "?", `\\?\\\server\share`: "?",
	} {
		if got := RemoteHost(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

package watch

import "testing"

func TestInWSL(t *testing.T) {
	for path, want := range map[string]bool{
		`\\wsl$\Debian\home\me`: true, `\\wsl.localhost\Ubuntu-24.04\srv`: true, `\\WSL.LocalHost\x`: true,
		`//wsl$/Debian/home`: true,
		`C:\wsl$\x`:          false, `\\server\wsl$\x`: false, `/home/me/wsl$`: false, `\\wsl`: false, ``: false,
	} {
		wantEqual(t, inWSL(path), want, "%s", path)
	}
}

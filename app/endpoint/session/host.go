package session

import "strings"

// RemoteHost names the other computer that a path of Windows leads to (a share by its UNC name, however it is written),
// in lower case: "" for a drive, and for WSL, which is on this one; "?" for what can't be told, such as a device.
// Windows signs in wherever such a path is looked at, with the person's name and a hash of their password.
func RemoteHost(path string) string {
	path = strings.ReplaceAll(path, "/", `\`)
	for _, prefix := range []string{`\\?\`, `\\.\`, `\??\`} {
		rest, device := strings.CutPrefix(path, prefix)
		switch {
		case !device:
		case len(rest) >= 4 && strings.EqualFold(rest[:4], `UNC\`):
			path = `\\` + rest[4:]
		case len(rest) >= 2 && rest[1] == ':':
			return ""
		default:
			return "?"
		}
	}
	rest, remote := strings.CutPrefix(path, `\\`)
	if !remote {
		return ""
	}
	host, rest, _ := strings.Cut(rest, `\`)
	share, _, _ := strings.Cut(rest, `\`)
	switch host = strings.ToLower(host); {
	case strings.Trim(host, ". ") == "" || strings.Trim(share, ". ") == "":
		return "?"
	case host == "wsl$" || host == "wsl.localhost":
		return ""
	}
	return host
}

package session

import "strings"

// RemoteHost returns the computer in a Windows path, such as "server" for \\Server\share, or "" for a local path. When
// such a path is opened, Windows sends the user's name and a hash of the password to the computer.
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

package corpus

import "strings"

func core(v string) string {
	switch {
	case strings.HasPrefix(v, "Authorization: "):
		return v[strings.LastIndexByte(v, ' ')+1:]
	case strings.Contains(v, "IncomingWebhook/"):
		return v[strings.Index(v, "IncomingWebhook/")+16:]
	case strings.HasPrefix(v, "https://"):
		return v[strings.LastIndexByte(v, '/')+1:]
	case strings.Contains(v, "AccountKey="):
		return v[strings.Index(v, "AccountKey=")+11:]
	case strings.Contains(v, "://") && strings.Contains(v, "@"):
		rest := v[strings.Index(v, "://")+3:]
		return rest[strings.IndexByte(rest, ':')+1 : strings.IndexByte(rest, '@')]
	}
	return v
}

// piece is the length of the parts of a secret that Seen looks for.
const piece = 16

// Seen reports whether text shows a short secret, or 24 characters in a row of a longer secret.
func (s Secret) Seen(text string) bool {
	for _, p := range s.Parts {
		p = core(p)
		if len(p) <= piece {
			if strings.Contains(text, p) {
				return true
			}
			continue
		}
		for i := 0; i+piece <= len(p); i += piece / 2 {
			if strings.Contains(text, p[i:i+piece]) {
				return true
			}
		}
	}
	return false
}

func (c Corpus) Leaks(seen func(Secret) bool) (missed, tokens int, others []Secret) {
	for _, s := range c.Secrets {
		if s.Sort == Token {
			tokens++
		}
		switch {
		case !seen(s):
		case s.Sort == Token:
			missed++
		default:
			others = append(others, s)
		}
	}
	return missed, tokens, others
}

package corpus

import "strings"

// core is the part of a value that is the secret: an address may be shown without its password.
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

// piece is how much of a secret may not be seen: less can't be used.
const piece = 16

// Seen reports whether a text has a part of the secret, sixteen characters in a row or all of a shorter one.
func (s Secret) Seen(text string) bool {
	for _, p := range s.Parts {
		p = core(p)
		if len(p) <= piece {
			if strings.Contains(text, p) {
				return true
			}
			continue
		}
		// Steps of half a piece find every run of one and a half.
		for i := 0; i+piece <= len(p); i += piece / 2 {
			if strings.Contains(text, p[i:i+piece]) {
				return true
			}
		}
	}
	return false
}

// Leaks sorts out which secrets were seen: of all tokens how many, and every one of another sort, none of which may be.
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

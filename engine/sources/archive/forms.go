package archive

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/markup"
)

// origins finds the imported folders inside im.dir, which this import replaces. An imported folder above im.dir is an
// error.
func (im *importer) origins(ctx context.Context, db *sql.DB) error {
	origins, err := collect(ctx, db, func(s *string) []any { return []any{s} }, "SELECT DISTINCT origin FROM documents")
	if err != nil {
		return fmt.Errorf("read folders of archive: %w", err)
	}
	for _, origin := range origins {
		switch {
		case within(im.dir, origin):
			return api.New(api.InvalidArgument,
				fmt.Sprintf("The archive already contains this folder as part of '%s'. Import that folder again "+
					"to update it.", origin), "the folder is inside an imported folder", nil)
		case within(origin, im.dir):
			im.parts = append(im.parts, origin)
		}
	}
	return nil
}

func within(dir, above string) bool {
	return dir != above && strings.HasPrefix(dir, strings.TrimSuffix(above, string(filepath.Separator))+
		string(filepath.Separator))
}

func (im *importer) parseFile(ctx context.Context, rel string, data []byte) markup.Document {
	if strings.EqualFold(path.Ext(rel), ".bib") {
		data = []byte(letters(string(data)))
		d := markup.AsText(rel, data)
		d.Title = path.Base(rel)
		for _, e := range bibEntries(string(data)) {
			if e.address != "" {
				d.Links = append(d.Links, markup.Link{URL: e.address, Text: e.key, Context: e.title})
			}
		}
		return d
	}
	return im.reader.Parse(ctx, rel, data)
}

var (
	texAccent = regexp.MustCompile("\\\\(?:([`'^\"~=.])\\s*(?:\\{\\\\?([A-Za-z])\\}|\\\\?([A-Za-z]))|" +
		"([uvHckdbr])(?:\\s*\\{\\\\?([A-Za-z])\\}|\\s+\\\\?([A-Za-z])))")
	texLetter = regexp.MustCompile(`\\(ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j|dh|DH|th|TH|dj|DJ|ng|NG)(?:\{\}|\s+|\b)`)
	texBraces = regexp.MustCompile(`\{([^{}\s=,]*[^{}\x00-\x7f][^{}\s=,]*)\}`)
)

var (
	accents = map[string]string{"`": "\u0300", "'": "\u0301", "^": "\u0302", "\"": "\u0308", "~": "\u0303",
		"=": "\u0304", ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328",
		"d": "\u0323", "b": "\u0331", "r": "\u030a"}
	texLetters = map[string]string{"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å",
		"o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "i": "i", "j": "j", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ",
		"dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ"}
)

func letters(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	s = texAccent.ReplaceAllStringFunc(s, func(m string) string {
		f := texAccent.FindStringSubmatch(m)
		return norm.NFC.String(f[2] + f[3] + f[5] + f[6] + accents[f[1]+f[4]])
	})
	s = texLetter.ReplaceAllStringFunc(s, func(m string) string { return texLetters[texLetter.FindStringSubmatch(m)[1]] })
	return texBraces.ReplaceAllString(s, "$1")
}

// bibEntry is an entry of a bibliography. address is "" if the entry has neither a DOI nor a URL.
type bibEntry struct{ key, title, address string }

var (
	bibStart = regexp.MustCompile(`(?m)^\s*@(\w+)\s*\{\s*([^,\s}]+)\s*,`)
	bibField = regexp.MustCompile(`(?im)^\s*(doi|url|title)\s*=\s*[{"]+(.+?)[}"]+\s*,?\s*$`)
)

// bibEntries parses the keys, titles, DOIs and URLs of the entries of a BibTeX file. Each field must be on one line.
func bibEntries(s string) []bibEntry {
	var out []bibEntry
	starts := bibStart.FindAllStringSubmatchIndex(s, -1)
	for i, at := range starts {
		end := len(s)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		e := bibEntry{key: s[at[4]:at[5]]}
		for _, f := range bibField.FindAllStringSubmatch(s[at[1]:end], -1) {
			switch value := strings.TrimSpace(f[2]); strings.ToLower(f[1]) {
			case "title":
				e.title = strings.NewReplacer("{", "", "}", "").Replace(value)
			case "doi":
				e.address = "https://doi.org/" + strings.TrimPrefix(strings.TrimPrefix(value, "https://doi.org/"), "doi:")
			case "url":
				e.address = cmp.Or(e.address, value)
			}
		}
		if !markup.IsWebURL(e.address) {
			e.address = ""
		}
		out = append(out, e)
	}
	return out
}

func (im *importer) bibliography(files []string) {
	im.keys = map[string]string{}
	for _, rel := range files {
		if !strings.EqualFold(path.Ext(rel), ".bib") {
			continue
		}
		data, _, reason, err := im.policy.Read(rel)
		if err != nil || reason != api.SkipNone {
			continue // the import reports the error when it reads the file
		}
		for _, e := range bibEntries(string(data)) {
			if im.keys[e.key] == "" {
				im.keys[e.key] = e.address
			}
		}
	}
}

// wikiKey returns the address of a wiki link [[name]]. The name may contain a folder.
func (im *importer) wikiKey(name string) string {
	return "wiki:" + filepath.ToSlash(im.dir) + "/" + strings.ToLower(strings.ReplaceAll(strings.TrimSuffix(name, ".md"),
		"_", " "))
}

func (im *importer) citeKey(key string) string {
	return "key:" + filepath.ToSlash(im.dir) + "/" + strings.ToLower(key)
}

package archive

import (
	"path/filepath"
	"slices"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/sources/markup"
)

func TestScripts(t *testing.T) {
	words := []string{"사용자", "세션", "उपयोगकर्ता", "सत्र", "ব্যবহারকারী", "অধিবেশন", "వినియోగదారు", "సెషన్", "ผู้ใช้",
		"အသုံးပြုသူ",
		"អ្នកប្រើ", "пользовательский", "й", "Ελλάδα", "משתמש", "نامه\u200cها", "Übergröße", "người", "பயனர்", "ಬಳಕೆದಾರ"}
	files := map[string]string{"soft.md": "# Soft\n\n" +
		"The Do\u00adnau\u00addampf\u00adschiff, a co\u00adope\u00adration and a zero\u2060width, a hand\u200bshake.\n"}
	for i, w := range words {
		files[string(rune('a'+i))+".md"] = "# Page\n\nabout " + w + " here\n"
	}
	db := filepath.Join(t.TempDir(), "a.db")
	if _, err := Import(t.Context(), db, folder(t, files), markup.InProcess{}, nil); err != nil {
		t.Fatal(err)
	}
	for _, w := range append(slices.Clone(words), "Donaudampfschiff", "cooperation", "zerowidth", "handshake",
		"Do\u00adnaudampfschiff",
		`"about 사용자"`, `"about सत्र"`, "ubergroße", "nguoi") {
		if r := search(t, db, api.ArchiveQuery{Text: w, Limit: 3}); len(r.Results) == 0 || len(r.Results[0].Highlights) == 0 {
			t.Errorf("%s: %+v", w, r.Results)
		}
		if r := search(t, db, api.ArchiveQuery{Text: w, Limit: 3, Fuzzy: true}); len(r.Results) == 0 {
			t.Errorf("%s, fuzzy: nothing", w)
		}
	}
}

func TestLetters(t *testing.T) {
	for in, want := range map[string]string{
		`M{\"u}ller`: "Müller", `Garc{\'\i}a`: "García", `{\AA}str{\"o}m`: "Åström", `Fran\c{c}ois`: "François",
		`\v{S}koda`: "Škoda", `Erd{\H o}s`: "Erdős", `{\L}ukasz`: "Łukasz", `Stra{\ss}e`: "Straße", `no\\break`: `no\\break`,
		`S{\o}ren`: "Søren", `Ho{\~n}a`: "Hoña", `\"{O}zg\"ur`: "Özgür", `{A title}`: "{A title}",
	} {
		wantEqual(t, letters(in), want, "%s", in)
	}
}

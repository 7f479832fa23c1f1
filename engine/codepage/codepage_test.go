package codepage

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
)

func TestDecode(t *testing.T) {
	for name, tc := range map[string]struct {
		in   encoding.Encoding
		text string
	}{
		"Windows-1252": {charmap.Windows1252, "“quoted” – résumé, Größe, naïve\n"},
		"Shift-JIS":    {japanese.ShiftJIS, "注文の合計を計算する\n"},
		"GBK":          {simplifiedchinese.GBK, "计算订单的总价，返回结果\n"},
	} {
		raw, err := tc.in.NewEncoder().String(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		if s, is, ok := Decode(raw); s != tc.text || is != name || !ok {
			t.Errorf("%s: %q, %s, %v", name, s, is, ok)
		}
	}
	for _, broken := range []string{"a\xffb\x00c", "\x81\x8d\x8f\x90", strings.Repeat("\xe9\xe8", 40)} {
		if s, name, ok := Decode(broken); ok {
			t.Errorf("%q was read as %s: %q", broken, name, s)
		}
	}
}

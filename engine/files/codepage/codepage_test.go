package codepage

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"
)

// samples contains a few comments per encoding. Shorter text is harder to detect.
var samples = []struct{ name, label, text string }{
	{"Windows-1252", "windows-1252", "“quoted” – résumé, Größe, naïve\n"},
	{"Windows-1252", "windows-1252", "// Überweisung prüfen\nfunc check() {}\n"},
	{"Windows-1252", "windows-1252", "# Crée la facture et vérifie la référence du règlement déjà payé\n"},
	{"Shift-JIS", "shift_jis", "注文の合計を計算する\n"},
	{"Shift-JIS", "shift_jis", "// 設定ファイルを読み込む\nint load(void);\n"},
	{"GBK", "gbk", "计算订单的总价，返回结果\n"},
	{"GBK", "gbk", "/* 检查用户是否已登录，否则跳转到登录页面 */\nint check();\n"},
	{"EUC-KR", "euc-kr", "// 결제 금액을 확인한 후에 주문을 저장한다\nvoid save();\n"},
	{"EUC-KR", "euc-kr", "/* 사용자 세션이 만료되었는지 검사합니다. 만료되면 다시 로그인해야 합니다. */\n"},
	{"BIG5", "big5", "// 檢查轉帳金額是否符合，並更新帳戶的餘額\nvoid check();\n"},
	{"BIG5", "big5", "# 讀取設定檔案，如果找不到就使用預設值。這個函式會傳回錯誤訊息。\n"},
	{"EUC-JP", "euc-jp", "// 設定ファイルを読み込んで、エラーがあれば返す\nint load(void);\n"},
	{"Windows-1251", "windows-1251", "// Проверяет остаток на счёте и сохраняет платёж\nvoid save();\n"},
	{"Windows-1251", "windows-1251", "# Настройки подключения к базе данных: имя пользователя и пароль\n"},
	{"KOI8-R", "koi8-r", "/* Проверяет, что пользователь вошёл в систему, и открывает его настройки */\n"},
	{"GBK", "gbk", "// 错误信息\n"},
	{"GBK", "gbk", "// 删除临时文件\n"},
	{"GBK", "gbk", "# 处理支付请求\n"},
	{"BIG5", "big5", "// 取得目前時間\n"},
	{"BIG5", "big5", "// 儲存訂單\n"},
	{"BIG5", "big5", "# 刪除暫存檔案\n"},
	{"EUC-JP", "euc-jp", "// 合計を計算\n"},
	{"EUC-KR", "euc-kr", "// 주문 저장\n"},
	{"Windows-1251", "windows-1251", "// Считает сумму\n"},
	{"KOI8-R", "koi8-r", "// файл настроек\n"},
	{"Windows-1253", "windows-1253", "// Ελέγχει το υπόλοιπο του λογαριασμού και αποθηκεύει την πληρωμή\n"},
}

func TestDecode(t *testing.T) {
	for _, tc := range samples {
		raw := encode(t, tc.label, tc.text)
		if g, ok := Decode(raw); g.Text != tc.text || !ok {
			t.Errorf("%s: %+v, %v", tc.name, g, ok)
		}
		code := strings.Repeat("func total(items []Item) int { return sum(items) }\n", 30)
		if g, ok := Decode(code + raw + code); g.Text != code+tc.text+code || !ok {
			t.Errorf("%s in code: %s, %v", tc.name, g.Name, ok)
		}
	}
}

func TestAmbiguous(t *testing.T) {
	unsure := 0
	for label, texts := range map[string][]string{
		"gbk":          {"价格", "用户登录", "泰米尔语", "日志文件", "格陵兰岛", "瓦利语 塔吉克语", "缓存", "订单号"},
		"big5":         {"訂單", "讀取", "帳戶餘額", "登入"},
		"windows-1250": {"Načte nastavení, když je soubor již otevřen", "ověří účet", "zamítnutí žádosti o přístup", "ýř"},
		"koi8-r":       {"счёт", "имя файла"},
		"windows-1254": {"bağlantı", "şifre yanlış, lütfen değiştirin"},
	} {
		for _, text := range texts {
			if g, ok := Decode(encode(t, label, text)); ok && g.Text != text && !g.Ambiguous {
				t.Errorf("%q was read as %+v", text, g)
			} else if g.Ambiguous {
				unsure++
			}
		}
	}
	if unsure < 8 {
		t.Errorf("only %d are a guess", unsure)
	}
	for label, text := range map[string]string{
		"windows-1252": "Überprüft die Größe der Datei und schließt sie",
		"gbk":          "检查用户是否已登录，否则跳转到登录页面，并且记录这次访问的时间和地址。",
		"euc-kr":       "사용자 세션이 만료되었는지 검사합니다",
		"shift_jis":    "設定ファイルを読み込む",
	} {
		if g, ok := Decode(encode(t, label, text)); !ok || g.Ambiguous || g.Text != text {
			t.Errorf("%q: %+v, %v", text, g, ok)
		}
	}
}

func encode(t *testing.T, label, text string) string {
	t.Helper()
	e, err := htmlindex.Get(label)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestLatinIsNotKorean decodes Czech and Polish, where non-ASCII letters precede ASCII letters as in two-byte
// encodings.
func TestLatinIsNotKorean(t *testing.T) {
	for _, text := range []string{"// čeština\n", "// Ověří, že účet není zamčený\n",
		"// łączność z bazą\n", "# źródło\n"} {
		if g, ok := Decode(encode(t, "windows-1250", text)); ok &&
			strings.ContainsFunc(g.Text, func(r rune) bool { return r > 0x2fff }) {
			t.Errorf("%q was read as %+v", text, g)
		}
	}
}

func TestUTF8WithErrors(t *testing.T) {
	for _, text := range []string{
		"// Überweisung prüfen, Größe übernehmen\n// r\xe9sum\xe9\n", "设置文件\xff\n", "Проверка\x98 готова\n",
	} {
		if g, ok := Decode(text); ok {
			t.Errorf("%q was read as %+v", text, g)
		}
	}
}

func TestNoText(t *testing.T) {
	for _, broken := range []string{"a\xffb\x00c", "\x81\x8d\x8f\x90",
		"// \xcf\xdb\xc9\xc2\xcb\xc1\n", strings.Repeat("\xe9\xe8", 40)} {
		if g, ok := Decode(broken); ok {
			t.Errorf("%q was read as %+v", broken, g)
		}
	}
}

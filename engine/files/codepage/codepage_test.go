package codepage

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"
)

// Comments as they stand in code, a few of each: the less there is the harder it is to tell.
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
	{"GBK", "gbk", "// 错误信息\n"}, // a few letters tell it
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
		e, err := htmlindex.Get(tc.label)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := e.NewEncoder().String(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		if s, is, ok := Decode(raw); s != tc.text || !ok {
			t.Errorf("%s: %q, %s, %v", tc.name, s, is, ok)
		}
		code := strings.Repeat("func total(items []Item) int { return sum(items) }\n", 30)
		if s, is, ok := Decode(code + raw + code); s != code+tc.text+code || !ok {
			t.Errorf("%s in code: %s, %v", tc.name, is, ok)
		}
	}
}

// A few bytes that are not valid make no other encoding of a text in UTF-8.
func TestUTF8WithErrors(t *testing.T) {
	for _, text := range []string{
		"// Überweisung prüfen, Größe übernehmen\n// r\xe9sum\xe9\n", "设置文件\xff\n", "Проверка\x98 готова\n",
	} {
		if s, name, ok := Decode(text); ok {
			t.Errorf("%q was read as %s: %q", text, name, s)
		}
	}
}

func TestNoText(t *testing.T) {
	for _, broken := range []string{"a\xffb\x00c", "\x81\x8d\x8f\x90",
		"// \xcf\xdb\xc9\xc2\xcb\xc1\n", strings.Repeat("\xe9\xe8", 40)} {
		if s, name, ok := Decode(broken); ok {
			t.Errorf("%q was read as %s: %q", broken, name, s)
		}
	}
}

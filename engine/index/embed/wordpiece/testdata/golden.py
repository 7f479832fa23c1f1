"""Writes texts.jsonl: what the reference tokenizer (Python package tokenizers 0.22.2) answers.

    python golden.py TOKENIZER_JSON SOURCE_FILE...

TOKENIZER_JSON is that of the package which assets/model/model.json names. SOURCE_FILEs are cut into texts of code.
Run once; the test needs neither Python nor this script.
"""
import json, random, sys
from tokenizers import Tokenizer

tok = Tokenizer.from_file(sys.argv[1])
tok.no_padding()
tok.no_truncation()

EDGES = [
    "", " ", "\n\t\r", "hello", "Hello, World!", "getUserNameByID", "snake_case_name", "HTTPServer2", "a.b.c(d)[e]{f}",
    "naïve café résumé Ångström", "I\u0307stanbul İstanbul ISTANBUL ı", "ẞ ß straße", "Ω ω ς Σ", "日本語のテキスト", "中文和English混排",
    "한국어 문장입니다", "ไทย ภาษา", "हिन्दी में", "العربية نص", "עברית טקסט", "Привет, мир! ёлка", "ñ ñ n\u0303", "ﬁ ﬂ ﬀ", "①②③ ½ ²",
    "😀 👨‍👩‍👧 🇩🇪", "zero\u200bwidth\u200djoin", "soft\u00adhyphen", "nbsp\u00a0here", "line\u2028sep\u2029para\u0085nel", "\ufeffbom",
    "nul\x00byte\x7fdel\x1besc", "[CLS] [SEP] [MASK] [PAD] [UNK]", "x[SEP]y", "[sep] [CLS", "[[CLS]]", "##ing ## #", "a" * 100, "a" * 101,
    "é" * 100, "é" * 101, "_" * 300, "-" * 40, "x" * 5000, "https://example.org/a?b=c&d=%20#frag", "C:\\Users\\x\\file.txt", "1234567890 3.14159e-10 0xDEADBEEF",
    "don't can't won't 'quoted' \"double\" `tick`", "$100 €5 £3 ¥7 ₿1 ^ ~ | < > = +", "¿qué? ¡sí! «guillemets» „deutsch“", "\U000e0001tag\U000f0000private\ue000",
    "\u1734 \u166d \U000111c9 \u2e52 \u061d", "豈 \uf900\U0002f800 \U0002b920", "a\u0300\u0301\u0302b", "\u0300start", "ǅ ǆ Ǆ", "ᏣᎳᎩ ꭰ",
]

def rand_text(r):
    pick = [lambda: r.randrange(32, 127), lambda: r.randrange(0x80, 0x800), lambda: r.randrange(0x800, 0xd800),
            lambda: r.randrange(0xe000, 0x10000), lambda: r.randrange(0x10000, 0x20000), lambda: r.randrange(0x20000, 0x110000), lambda: 32]
    return "".join(chr(r.choice(pick)()) for _ in range(r.randrange(1, 60)))

def main():
    r = random.Random(8)
    texts = EDGES + [rand_text(r) for _ in range(400)]
    for path in sys.argv[2:]:
        lines = open(path, encoding="utf-8").read().split("\n")
        texts += ["\n".join(lines[i:i + 12]) for i in range(0, len(lines), 12)]
    with open("texts.jsonl", "w", encoding="ascii") as out:
        for t in texts:
            ids = tok.encode(t).ids
            for limit in (16, 128):
                tok.enable_truncation(limit)
                assert tok.encode(t).ids == (ids if len(ids) <= limit else ids[:limit - 1] + [102]), t
                tok.no_truncation()
            out.write(json.dumps({"text": t, "ids": ids}, separators=(",", ":")) + "\n")

main()

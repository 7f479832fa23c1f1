"""Runs tantivy or Whoosh over the texts of the site's index (title and body), with the English stemmer, for any word of a question."""
import json
import re
import sys
import tempfile
import time

engine, work = sys.argv[1:3]
pages = json.load(open(work + "/index.json"))["pages"]
questions = [line.split("\t")[0] for line in open(work + "/questions.tsv").read().strip().split("\n")]

if engine == "tantivy":
    import tantivy
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("path", stored=True, tokenizer_name="raw")
    schema.add_text_field("title", tokenizer_name="en_stem")
    schema.add_text_field("body", tokenizer_name="en_stem")
    index = tantivy.Index(schema.build())
    writer = index.writer()
    for p in pages:
        writer.add_document(tantivy.Document(path=p["url"][1:], title=p["title"], body=p.get("body", "")))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def search(text):
        query = index.parse_query(re.sub(r"[^\w\s]", " ", text), ["title", "body"])
        return [searcher.doc(address)["path"][0] for _, address in searcher.search(query, 10).hits]
else:
    from whoosh.analysis import StemmingAnalyzer
    from whoosh.fields import ID, TEXT, Schema
    from whoosh.index import create_in
    from whoosh.qparser import MultifieldParser, OrGroup
    schema = Schema(path=ID(stored=True), title=TEXT(StemmingAnalyzer()), body=TEXT(StemmingAnalyzer()))
    index = create_in(tempfile.mkdtemp(dir=work), schema)
    writer = index.writer()
    for p in pages:
        writer.add_document(path=p["url"][1:], title=p["title"], body=p.get("body", ""))
    writer.commit()
    searcher = index.searcher()
    parser = MultifieldParser(["title", "body"], schema, group=OrGroup)

    def search(text):
        return [hit["path"] for hit in searcher.search(parser.parse(re.sub(r"[^\w\s]", " ", text)), limit=10)]

for q in questions:
    search(q)
for q in questions:
    began = time.perf_counter()
    paths = search(q)
    print(json.dumps({"paths": paths, "ms": (time.perf_counter() - began) * 1000}))

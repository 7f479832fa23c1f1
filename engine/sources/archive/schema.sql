-- Version 1 of an archive. PRAGMA application_id = 0x534D4152 ("SMAR"), PRAGMA user_version = 1.

-- One row for each imported file.
CREATE TABLE documents (
  number  INTEGER PRIMARY KEY,             -- row of the full-text index
  id      TEXT NOT NULL UNIQUE,            -- "doc-" and 12 hex digits of the hash of origin and path: the same at each import
  origin  TEXT NOT NULL,                   -- the imported folder, absolute
  path    TEXT NOT NULL,                   -- name of the folder and path in it, with slashes: what a search shows
  title   TEXT NOT NULL,
  source  TEXT NOT NULL CHECK (source IN ('research', 'url')), -- 'url': a saved page, whose address is in url
  url     TEXT NOT NULL DEFAULT '',
  date    TEXT NOT NULL DEFAULT '',        -- YYYY-MM-DD
  content TEXT NOT NULL,                   -- text without markup
  hash    TEXT NOT NULL,                   -- SHA-256 of the version of the extraction and the file, hex
  UNIQUE (origin, path)
);

-- Full text of title and content; the texts themselves stand in documents.
CREATE VIRTUAL TABLE documents_fts USING fts5 (
  title, content, content = 'documents', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE documents_words USING fts5vocab (documents_fts, 'row');

CREATE TRIGGER documents_added AFTER INSERT ON documents BEGIN
  INSERT INTO documents_fts (rowid, title, content) VALUES (new.number, new.title, new.content);
END;
CREATE TRIGGER documents_removed AFTER DELETE ON documents BEGIN
  INSERT INTO documents_fts (documents_fts, rowid, title, content) VALUES ('delete', old.number, old.title, old.content);
END;
CREATE TRIGGER documents_changed AFTER UPDATE OF title, content ON documents BEGIN
  INSERT INTO documents_fts (documents_fts, rowid, title, content) VALUES ('delete', old.number, old.title, old.content);
  INSERT INTO documents_fts (rowid, title, content) VALUES (new.number, new.title, new.content);
END;

-- Under which addresses a document can be cited: the normal form of its URL, and that of its file.
CREATE TABLE addresses (
  key      TEXT NOT NULL,
  document TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE ON UPDATE CASCADE,
  PRIMARY KEY (key, document)
) WITHOUT ROWID;
CREATE INDEX addresses_of_document ON addresses (document);

-- One row for each address that a document links to; several links to one are one citation, that of the first.
CREATE TABLE citations (
  source_id  TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE ON UPDATE CASCADE,
  target_id  TEXT REFERENCES documents (id) ON DELETE SET NULL ON UPDATE CASCADE, -- NULL: not in the archive
  target_key TEXT NOT NULL,                -- compared with addresses.key
  target_url TEXT NOT NULL,                -- as written, relative ones completed where the base is known
  context    TEXT NOT NULL,                -- the sentence with the link, as Markdown
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  position   INTEGER NOT NULL,             -- order within the source
  PRIMARY KEY (source_id, target_key)
) WITHOUT ROWID;
CREATE INDEX citations_of_target ON citations (target_id);

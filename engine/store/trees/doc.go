// Package trees keeps the syntax trees of one project's files, so that a question about a name parses none of them. A
// tree is bytes without any text (package tree); whoever asks has the file's content and says by its hash which tree it
// wants.
//
// It must not know what is in a tree, nor how files are read or parsed.
//
// # The file
//
// One file per project, to which blocks are appended: a table of paths (by hash), hashes of texts and lengths, then
// the trees as they come. The last say about a path counts. Nothing is synced: whatever is torn or does not fit its
// checksum is not there, and the file is parsed when somebody asks. A file of another version is begun anew. When more
// of it is out of date than not, what counts is copied to a new one.
//
// # Goroutines and locks
//
// No goroutines but the timer that closes an unused file. Store.mu is held over I/O: shared by readers, alone for what
// is appended.
package trees

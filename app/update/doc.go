// Package update tells of newer versions of Search MCP, if a person has allowed it to ask: off by default. It fetches
// one small signed file and nothing else, sends nothing that tells users apart, and installs nothing, ever.
//
// What protects the person (after The Update Framework's list of attacks, specification 1.0, section 1.5.2):
//   - a forged feed: an Ed25519 signature by a key that was built in, or announced by a feed that such a key signed
//     (keys.go);
//   - rollback, an older feed served again: sequence numbers and versions never go back, which is remembered in
//     update.json;
//   - freeze, one feed served for ever: a feed expires, and an expired one is reported;
//   - endless data: 64 KB are read;
//   - a way down: a version that is not newer than the running one is not told of.
//
// It must not know the engine, the socket or how anything is shown; app joins it to them. One goroutine, Run's, asks
// once a day; its caller waits for it. The mutex guards the state and is never held over I/O.
package update

// Package connect enters Search MCP into the configuration of editors and other AI clients, and takes it out again. It
// owns what is known of each of them: how it is recognized, where its configuration is, in which grammar, and which
// command of its own changes it, and which folders it opened last, so that the first project need not be looked for.
//
// Three rules hold for every change. A person sees first what will be run or written (Plan). Every byte of a file that
// is not ours stays as it is, comments included; what can't be changed like that is refused, never repaired. An entry
// is ours if the program it runs is search-mcp, whatever its name and folder; nothing else is ever removed or
// overwritten. What had to be made around an entry, a key or a file, goes with it again if it was made here
// (Machine.Records).
//
// It knows neither socket nor app nor how a plan is shown. It starts no goroutines and has no locks; two changes at
// once are met by reading the file again before it is replaced.
package connect

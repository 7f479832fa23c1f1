package symbol

// builtins are members of the types that languages bring along. Where nothing says what a receiver is, one of these is
// more likely meant than what the project calls so.
var builtins = map[string]map[string]bool{
	"javascript": wordSet(`add all any apply at bind call catch charAt charCodeAt concat delete endsWith entries every exec
		fill filter finally find findIndex findLast flat flatMap forEach get has hasOwnProperty includes indexOf isArray
		join keys lastIndexOf length map match next padEnd padStart pop push race reduce reduceRight repeat replace
		replaceAll reverse set shift slice some sort splice split startsWith substring substr test then toFixed toISOString
		toLowerCase toString toUpperCase trim trimEnd trimStart unshift valueOf values`),
	"python": wordSet(`append capitalize clear copy count decode difference encode endswith extend find format get index
		insert intersection isdigit items join keys ljust lower lstrip pop popitem readline readlines remove replace reverse
		rfind rjust rsplit rstrip setdefault sort split splitlines startswith strip title union update upper values zfill`),
	"rust": wordSet(`and_then as_bytes as_mut as_ref as_str borrow borrow_mut bytes chain chars clear clone cloned cmp
		collect contains contains_key copied count default deref drain drop ends_with entry enumerate eq err expect extend
		filter filter_map find first flatten flush fmt fold for_each get get_mut hash insert into into_inner into_iter
		is_empty is_err is_none is_ok is_some iter iter_mut join keys last len lines lock map map_err max min next ok ok_or
		parse partial_cmp peek pop position push push_str read read_exact read_line read_to_end read_to_string recv remove
		replace resize retain rev skip sort split splitn starts_with swap take to_lowercase to_owned to_string to_vec trim
		truncate unwrap unwrap_or unwrap_or_default unwrap_or_else values write write_all zip`),
	"java": wordSet(`add addAll append charAt clear close compareTo contains containsKey entrySet equals forEach get
		getClass getOrDefault hashCode indexOf isEmpty iterator keySet length next put putAll putIfAbsent remove size sort
		split startsWith stream substring toArray toString trim values`),
	"csharp": wordSet(`Add AddRange Any Clear Close Contains ContainsKey Count Dispose Equals First FirstOrDefault
		GetHashCode GetType IndexOf Insert Join Length Remove Replace Select Split StartsWith Substring ToArray ToList
		ToString Trim TryGetValue Where`),
	"c": wordSet(`append at back begin c_str clear count data emplace emplace_back empty end erase find first front insert
		length pop_back push_back release reserve reset resize second size str substr swap`),
	"swift": wordSet(`append contains count description filter first forEach hash index insert isEmpty joined keys last
		map reduce remove removeAll removeLast sorted split values`),
	"ruby": wordSet(`call class clear count delete dup each empty? first freeze inspect join key? keys last length map
		merge nil? pop push respond_to? select send shift size sort split strip sub to_a to_h to_s to_sym values`),
}

// builtin reports whether a name is one of a language's own members.
func builtin(language, name string) bool { return builtins[family(language)][name] }

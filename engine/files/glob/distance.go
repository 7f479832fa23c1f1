package glob

// Distance returns the number of typing errors between two words: a wrong, missing or extra letter, or two swapped
// letters. within is false if the number exceeds limit.
func Distance(a, b string, limit int) (count int, within bool) {
	x, y := []rune(a), []rune(b)
	if max(len(x)-len(y), len(y)-len(x)) > limit {
		return 0, false
	}
	var short [3][64]int
	var rows [3][]int
	for i := range rows {
		if rows[i] = short[i][:]; len(y) >= len(short[i]) {
			rows[i] = make([]int, len(y)+1)
		}
	}
	for j := range len(y) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		prev2, prev, row := rows[(i+1)%3], rows[(i+2)%3], rows[i%3]
		row[0] = i
		low := i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			v := min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				v = min(v, prev2[j-2]+1)
			}
			row[j] = v
			low = min(low, v)
		}
		if low > limit {
			return 0, false
		}
	}
	d := rows[len(x)%3][len(y)]
	return d, d <= limit
}

import Keys

/// Sessions rotate.
class Sessions {
    var rotate: Int = 0
    /// Renews the keys.
    func rotate(now: Int) { self.rotate(now: now); rotate(now: now) }
}

extension Sessions { func other() { rotate(now: 1) } }

func login(s: Sessions, rotate: Int) {
    s.rotate(now: rotate)
    let x = Sessions()
    x.rotate(now: 2)
    print("rotate \(rotate)")
}

package auth

import keys.rotate

class Sessions(val rotate: Int) : Base() {
    /** Renews the keys. */
    fun rotate(now: Int) { this.rotate(now); rotate(now) }
}

fun Sessions.rotate(): Int = 1

fun login(s: Sessions, rotate: Int) {
    s.rotate(rotate)
    val x = Sessions(rotate = 1)
    x.rotate(2)
    println("rotate $rotate")
    s.other { it.rotate(3) }
}

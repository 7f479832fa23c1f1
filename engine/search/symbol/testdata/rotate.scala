package auth

import keys.rotate

class Sessions(val rotate: Int) {
  /** Renews the keys. */
  def rotate(now: Int): Int = this.rotate(now) + rotate(now)
}

object Sessions {
  def login(s: Sessions, rotate: Int): Unit = {
    s.rotate(rotate)
    s rotate 1
    val x = new Sessions(1)
    x.rotate(2)
    println(s"rotate $rotate")
  }
}

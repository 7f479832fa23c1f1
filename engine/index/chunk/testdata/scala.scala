package org.example.geo

import scala.math.sqrt

/** A point. */
case class Point(x: Double, y: Double) {
  def norm: Double = sqrt(x * x + y * y)
  lazy val label = s"($x, $y)"
}

object Point {
  val Origin = Point(0, 0)
  implicit def fromPair(p: (Double, Double)): Point = Point(p._1, p._2)
}

sealed trait Shape {
  type Unit
  def area: Double
}

@deprecated("old", "1")
abstract class Solid(name: String) extends Shape {
  var count = 0

  // Grows it.
  protected def grow(by: Int): Unit = {
    count += by
  }
}

enum Color {
  case Red, Green
}

def topLevel(n: Int): Int = n + 1

given intOrd: Ordering[Int] = Ordering.Int

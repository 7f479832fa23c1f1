// Licence.
import Foundation

let limit = 10
typealias Handler = (Int) -> Void

/// A player.
@objc
public final class Player: NSObject {
    static let shared = Player()
    private(set) var score: Int = 0

    init(score: Int) {
        self.score = score
    }

    deinit { print("gone") }

    /// Adds points.
    @discardableResult
    func add(_ points: Int) -> Int {
        score += points
        return score
    }

    subscript(index: Int) -> Int { return index }
}

struct Size {
    var width = 0.0
}

enum Side: String {
    case left, right
    indirect case both(Side)
}

protocol Drawable {
    associatedtype Canvas
    func draw(on canvas: Canvas)
}

extension Player: Drawable {
    func draw(on canvas: Int) {}
}

actor Bank {
    func transfer() async {}
}

func topLevel(_ x: Int) -> Int { x }

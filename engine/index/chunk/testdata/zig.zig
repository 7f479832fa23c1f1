//! A list.
const std = @import("std");

/// Grows by half.
pub fn grow(n: usize) usize {
    return n + n / 2;
}

pub const List = struct {
    items: []u8,

    pub fn init() List {
        return .{ .items = &.{} };
    }

    fn push(self: *List, x: u8) !void {
        _ = self;
        _ = x;
    }
};

test "grow" {
    try std.testing.expect(grow(2) == 3);
}

/// Makes a stack of anything.
pub fn Stack(comptime T: type) type {
    const Node = struct {
        item: T,
        next: ?*@This(),
    };
    return struct {
        const Self = @This();
        head: ?*Node = null,

        pub fn pop(self: *Self) ?T {
            const node = self.head orelse return null;
            self.head = node.next;
            return node.item;
        }
    };
}

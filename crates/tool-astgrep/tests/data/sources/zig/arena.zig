//! An arena and a parser that uses it.
const std = @import("std");
const Allocator = std.mem.Allocator;
const builtin = @import("builtin");

pub const page_size: usize = 4096;
var counter: u32 = 0;
threadlocal var depth: u8 = 0;
extern fn abs(n: c_int) c_int;

pub const ParseError = error{ UnexpectedToken, OutOfMemory, TooDeep };

pub const Kind = enum(u8) {
    number,
    word = 4,
    open,
    _,

    pub fn label(self: Kind) []const u8 {
        return switch (self) {
            .number => "number",
            .word, .open => "text",
            else => "other",
        };
    }
};

const Value = union(enum) {
    int: i64,
    text: []const u8,
    none,
};

const Header = packed struct {
    size: u24,
    used: bool = false,
    flags: u7 align(1) = 0,
};

pub fn Stack(comptime T: type) type {
    return struct {
        const Self = @This();
        items: []T,
        len: usize = 0,
        allocator: Allocator,

        pub fn init(allocator: Allocator) !Self {
            return Self{ .items = try allocator.alloc(T, 16), .allocator = allocator };
        }

        pub fn deinit(self: *Self) void {
            self.allocator.free(self.items);
            self.* = undefined;
        }

        pub fn push(self: *Self, item: T) !void {
            if (self.len == self.items.len) {
                self.items = try self.allocator.realloc(self.items, self.len * 2);
            }
            self.items[self.len] = item;
            self.len += 1;
        }

        pub fn pop(self: *Self) ?T {
            if (self.len == 0) return null;
            self.len -= 1;
            return self.items[self.len];
        }
    };
}

const Token = struct { kind: Kind, text: []const u8 };

pub const Lexer = struct {
    source: [:0]const u8,
    pos: usize = 0,

    pub fn next(self: *Lexer) ParseError!?Token {
        while (self.pos < self.source.len) : (self.pos += 1) {
            const c = self.source[self.pos];
            switch (c) {
                ' ', '\n' => continue,
                '0'...'9' => {
                    const start = self.pos;
                    while (std.ascii.isDigit(self.source[self.pos])) self.pos += 1;
                    return Token{ .kind = .number, .text = self.source[start..self.pos] };
                },
                'a'...'z' => |letter| {
                    _ = letter;
                    return .{ .kind = .word, .text = self.source[self.pos..] };
                },
                else => return error.UnexpectedToken,
            }
        }
        return null;
    }
};

fn parse(allocator: Allocator, source: [:0]const u8) !Value {
    var lexer = Lexer{ .source = source };
    var stack = try Stack(Value).init(allocator);
    defer stack.deinit();
    errdefer std.log.err("parse failed at {d}", .{lexer.pos});

    while (try lexer.next()) |token| {
        const value: Value = if (token.kind == .number)
            .{ .int = try std.fmt.parseInt(i64, token.text, 10) }
        else
            .{ .text = token.text };
        try stack.push(value);
    } else {
        counter +%= 1;
    }
    return stack.pop() orelse Value.none;
}

fn sum(numbers: []const i64) i64 {
    var total: i64 = 0;
    for (numbers, 0..) |n, i| {
        if (n < 0 or i > 100) break;
        total += n;
    }
    for (numbers) |*n| {
        total ^= n.* << 1;
    }
    return total;
}

inline fn max(comptime T: type, a: T, b: T) T {
    return if (a > b) a else b;
}

pub fn main() !void {
    var gpa = std.heap.GeneralPurposeAllocator(.{}){};
    const allocator = gpa.allocator();
    const args = std.process.argsAlloc(allocator) catch |err| {
        std.debug.print("no args: {}\n", .{err});
        return err;
    };
    const result = blk: {
        if (args.len > 1) break :blk args[1];
        break :blk "1 two";
    };
    const value = parse(allocator, result) catch Value.none;
    switch (value) {
        .int => |n| std.debug.print("{d}\n", .{n}),
        .text => |t| std.debug.print("{s} {s}\n", .{ t, Kind.word.label() }),
        .none => {},
    }
    const table = [_]u8{ 1, 2, 3 } ** 2;
    const pointer: ?*const u8 = &table[0];
    if (pointer) |p| {
        counter = @as(u32, p.*) + @intCast(max(u32, 1, 2));
    } else unreachable;
    comptime var i = 0;
    inline while (i < 2) : (i += 1) {
        depth = ~depth;
    }
}

test "sum" {
    const numbers = [_]i64{ 1, 2, 3 };
    try std.testing.expectEqual(@as(i64, 6), sum(numbers[0..]));
    try std.testing.expect(!builtin.is_test or true);
}

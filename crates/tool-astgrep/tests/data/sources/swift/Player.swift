import Foundation
import struct UIKit.CGRect
@testable import Audio

public typealias Completion = (Result<Track, PlayerError>) -> Void
let limit = 20

public enum PlayerError: Error, Equatable {
    case missing(name: String)
    case network(code: Int, retry: Bool)
    case closed, unknown

    var isFatal: Bool {
        switch self {
        case .missing, .closed:
            return true
        case let .network(code, _) where code >= 500:
            return false
        default:
            return false
        }
    }
}

protocol Queueing: AnyObject {
    associatedtype Item: Hashable
    var count: Int { get }
    func push(_ item: Item) throws
    static func empty() -> Self
}

public struct Track: Codable, Hashable {
    let id: Int
    var title: String
    private(set) var plays = 0
    static let none = Track(id: 0, title: "")

    enum CodingKeys: String, CodingKey {
        case id, title = "name"
    }

    init(id: Int, title: String) {
        self.id = id
        self.title = title.trimmingCharacters(in: .whitespaces)
    }

    mutating func played(times n: Int = 1) {
        plays += n
    }
}

@MainActor
open class Player<Output: AudioOutput>: NSObject, Queueing where Output: Sendable {
    public private(set) var tracks: [Track] = []
    private lazy var cache: [String: Data] = [:]
    weak var delegate: PlayerDelegate?
    var onFinish: Completion?

    public var count: Int { tracks.count }

    var volume: Double = 0.5 {
        didSet {
            if oldValue != volume { delegate?.changed(volume) }
        }
    }

    var current: Track? {
        get { return tracks.first }
        set { tracks.insert(newValue ?? .none, at: 0) }
    }

    public required init?(url: URL, volume: Double = 1) {
        guard url.isFileURL, let data = try? Data(contentsOf: url) else {
            return nil
        }
        super.init()
        cache["main"] = data
        self.volume = volume
    }

    deinit {
        print("gone")
    }

    func push(_ item: Track) throws {
        guard tracks.count < limit else { throw PlayerError.network(code: 507, retry: false) }
        tracks.append(item)
    }

    @discardableResult
    public func load(from url: URL, completion: @escaping Completion) async throws -> [Track] {
        do {
            let (data, response) = try await URLSession.shared.data(from: url)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            if status == 200, !data.isEmpty {
                tracks = try JSONDecoder().decode([Track].self, from: data)
            } else if status == 404 {
                completion(.failure(.missing(name: url.lastPathComponent)))
            } else {
                throw PlayerError.unknown
            }
        } catch let error as PlayerError {
            completion(.failure(error))
        } catch {
            print("failed: \(error.localizedDescription)")
        }
        return tracks.filter { $0.plays > 1 }.sorted(by: { $0.title < $1.title })
    }

    func shuffle() {
        for i in stride(from: tracks.count - 1, to: 0, by: -1) {
            let j = Int.random(in: 0...i)
            if i == j { continue }
            tracks.swapAt(i, j)
        }
        var index = 0
        while index < tracks.count {
            tracks[index].played(times: 2)
            index += 1
        }
        repeat {
            index -= 1
        } while index > 0 && !tracks.isEmpty
        for case let track? in [current] where track.id > 0 {
            print(track)
        }
    }

    subscript(index: Int) -> Track {
        return tracks[index]
    }

    static func == (left: Player, right: Player) -> Bool {
        left.tracks == right.tracks
    }
}

extension Array where Element == Track {
    var titles: [String] { map(\.title) }
    func longest(by key: (Track) -> Int) -> Track? {
        return self.max { a, b in key(a) < key(b) }
    }
}

func describe<T>(_ value: T, _ rest: Any...) -> String where T: CustomStringConvertible {
    let pair: (Int, String) = (1, "one")
    let table = ["a": 1, "b": -2]
    let square = { (x: Int) -> Int in x * x }
    defer { print("done") }
    if #available(iOS 15, *) {
        return value.description + pair.1
    }
    let label = table["a"] == nil ? "none" : "\(square(3)) of \(table.count)"
    return label + """
    many
    lines
    """
}

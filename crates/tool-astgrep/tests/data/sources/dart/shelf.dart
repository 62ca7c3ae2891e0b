/// A reading list with a view that shows it.
library shelf;

import 'dart:async';
import 'dart:convert' show jsonDecode, jsonEncode;
import 'package:flutter/material.dart' as m;

part 'shelf.g.dart';

const int kLimit = 20;
final RegExp _isbn = RegExp(r'^\d{9}[\dX]$');
typedef Predicate<T> = bool Function(T value);

enum Status {
  unread,
  reading('now'),
  done('later');

  const Status([this.label = '']);
  final String label;
  bool get open => this != Status.done;
}

abstract class Entry implements Comparable<Entry> {
  const Entry(this.title, {required this.year, this.status = Status.unread});

  factory Entry.fromJson(Map<String, dynamic> json) {
    return Book(json['title'] as String, year: json['year'] ?? 1900);
  }

  final String title;
  final int year;
  final Status status;

  @override
  int compareTo(Entry other) => year.compareTo(other.year);

  String describe();
}

mixin Rated on Entry {
  final List<int> _stars = <int>[];
  double get average => _stars.isEmpty ? 0 : _stars.reduce((a, b) => a + b) / _stars.length;
  set star(int value) => _stars.add(value);
}

class Book extends Entry with Rated {
  Book(super.title, {required super.year, String? isbn})
      : isbn = isbn ?? 'none',
        assert(year > 0, 'year'),
        super(status: Status.unread);

  Book.empty() : this('', year: 1);

  final String isbn;
  late final int pages;
  static int count = 0;

  @override
  String describe() => '$title (${year.toString()}), $isbn';

  bool operator <(Book other) => year < other.year;

  @override
  bool operator ==(Object other) => other is Book && other.isbn == isbn;

  @override
  int get hashCode => isbn.hashCode;
}

extension Words on String {
  int get words => split(' ').where((w) => w.isNotEmpty).length;
}

class Shelf<T extends Entry> {
  final Map<String, T> _entries = {};
  final StreamController<T> _added = StreamController.broadcast();

  Stream<T> get added => _added.stream;

  Future<void> load(Uri uri, {Duration timeout = const Duration(seconds: 5)}) async {
    try {
      final body = await fetch(uri).timeout(timeout);
      for (final raw in jsonDecode(body) as List) {
        add(Entry.fromJson(raw) as T);
      }
    } on TimeoutException {
      rethrow;
    } on FormatException catch (e, stack) {
      print('bad data: $e\n$stack');
    } catch (e) {
      throw StateError('cannot load $uri');
    } finally {
      await _added.close();
    }
  }

  void add(T entry) {
    if (_entries.length >= kLimit || !_isbn.hasMatch(entry.title)) {
      return;
    } else if (entry.status.open) {
      _entries[entry.title] = entry;
    }
    _added
      ..add(entry)
      ..sink.add(entry);
  }

  Iterable<T> where(Predicate<T> test) sync* {
    for (var i = 0; i < _entries.length; i++) {
      final entry = _entries.values.elementAt(i);
      if (!test(entry)) continue;
      yield entry;
    }
  }

  String age(int year) {
    switch (year) {
      case 2024:
      case 2025:
        return 'new';
      case < 1950:
        return 'old';
      default:
        break;
    }
    final label = switch (year) { > 2000 => 'recent', _ when year.isOdd => 'odd', _ => 'other' };
    return label;
  }
}

class ShelfView extends m.StatefulWidget {
  const ShelfView({super.key, this.onTap, required this.books});

  final void Function(Book book)? onTap;
  final List<Book> books;

  @override
  m.State<ShelfView> createState() => _ShelfViewState();
}

class _ShelfViewState extends m.State<ShelfView> {
  int _selected = -1;
  m.TextEditingController? _controller;

  @override
  void initState() {
    super.initState();
    _controller = m.TextEditingController(text: '')..addListener(_refresh);
  }

  @override
  void dispose() {
    if (_controller != null) _controller!.dispose();
    super.dispose();
  }

  void _refresh() => setState(() {
        _selected = (_selected + 1) % widget.books.length;
      });

  @override
  m.Widget build(m.BuildContext context) {
    final theme = m.Theme.of(context);
    return m.ListView(
      padding: const m.EdgeInsets.all(8.0),
      children: [
        for (final book in widget.books)
          m.ListTile(title: m.Text(book.title, style: theme.textTheme.bodyMedium), onTap: () => widget.onTap?.call(book)),
        if (_selected >= 0) m.Text('picked ${_selected + 1}') else const m.SizedBox(),
        ...widget.books.map((b) => m.Text(b.isbn)),
      ],
    );
  }
}

Future<String> fetch(Uri uri) async => jsonEncode([{'title': 'x', 'year': 1984}]);

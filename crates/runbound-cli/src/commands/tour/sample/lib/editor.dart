import 'session.dart';

/// A text field with a blinking caret.
class Editor {
  FocusNode? focus;
  Timer? caret;
  Session? session;

  void close() {
    if (focus != null) focus.dispose();
    // if (caret != null) caret.dispose();
    log('if (caret != null) caret.dispose();');
    session?.close();
  }
}

/// A connection and what waits for it.
class Session {
  Socket? socket;

  void close() {
    if(socket!=null)socket.dispose();
  }
}

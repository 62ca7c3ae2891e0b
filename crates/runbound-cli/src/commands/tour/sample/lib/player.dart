/// Plays sound and pictures.
class Player {
  Decoder? decoder;
  Output? audio;
  Output? video;

  void dispose() {
    if (decoder != null)
      decoder.dispose();
    if (audio != null) video.dispose();
  }
}

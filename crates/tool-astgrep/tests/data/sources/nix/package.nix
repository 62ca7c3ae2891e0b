{ lib
, stdenv
, fetchurl
, pkg-config
, openssl ? null
, enableTests ? false
, extraPlugins ? [ ]
, ...
}@args:

let
  version = "1.4.${toString patch}";
  patch = 2;
  inherit (lib) optional optionals optionalString mkIf;
  mirrors = import ./mirrors.nix { inherit lib; };
  mkPlugin = name: { src, deps ? [ ] }: stdenv.mkDerivation {
    pname = "sampler-${name}";
    inherit version src;
    buildInputs = deps ++ [ openssl ];
  };
  plugins = map (p: mkPlugin p.name p) extraPlugins;
  isOld = lib.versionOlder version "2.0" && !(lib.hasPrefix "1.5" version);
in

assert enableTests -> openssl != null;

stdenv.mkDerivation rec {
  pname = "sampler";
  inherit version;

  src = fetchurl {
    url = "https://example.org/${pname}-${version}.tar.gz";
    sha256 = "0000000000000000000000000000000000000000000000000000";
    urls = mirrors.main or [ ];
  };

  nativeBuildInputs = [ pkg-config ];
  buildInputs = [ openssl ] ++ optionals enableTests plugins;

  patches = [
    ./fix-paths.patch
    (fetchurl { url = "https://example.org/p1.patch"; sha256 = lib.fakeSha256; })
  ];

  configureFlags = optional (openssl != null) "--with-ssl"
    ++ optional stdenv.isLinux "--epoll";

  postPatch = ''
    substituteInPlace Makefile \
      --replace /usr/local $out
    ${optionalString isOld "touch old"}
  '';

  env.NIX_CFLAGS_COMPILE = "-O2";

  doCheck = if enableTests then true else false;

  passthru = {
    inherit plugins;
    tests.basic = args.tests.basic or null;
    updateScript = ./update.sh;
    counts = {
      total = builtins.length plugins * 2 + 1;
      negative = -1;
      half = 0.5;
    };
    byName = lib.listToAttrs (map (p: { name = p.pname; value = p; }) plugins);
    "quoted name" = with lib; concatStringsSep ", " [ "a" "b" ];
    has = args ? openssl;
  };

  meta = with lib; {
    description = "Reads samples";
    homepage = "https://example.org";
    license = licenses.mit;
    maintainers = with maintainers; [ ada ];
    platforms = platforms.unix;
    broken = stdenv.isDarwin || version == "1.3";
  };
}

//! The rules as a table: letters, signs, marks and reserved words by the language ids of the protocol.

/// Which characters a name is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Letters {
    /// Unicode identifiers and `_`.
    Xid,
    /// And `$`.
    XidDollar,
    /// ASCII letters, digits, `_`.
    Ascii,
    /// And `$`.
    AsciiDollar,
    /// ASCII, and every byte above it.
    Bytes,
    /// And `-`, but no digit behind a leading one.
    Css,
    /// Unicode identifiers with `-`.
    Dashed,
    /// Unicode identifiers with `'`.
    Prime,
    /// Keys and anchors of data files.
    Key,
    /// Anything that is a name somewhere: for languages of which nothing is known.
    Loose,
}

/// The rules of a language.
#[derive(Debug)]
pub(super) struct Lexicon {
    pub(super) ids: &'static [&'static str],
    pub(super) letters: Letters,
    /// Signs in front of a name that say what kind of thing it is, longest first.
    pub(super) signs: &'static [&'static str],
    /// Characters that may end a name.
    pub(super) endings: &'static [char],
    /// The marks around a name that would be a reserved word without them.
    pub(super) raw: Option<(&'static str, &'static str)>,
    /// Reserved everywhere, with blanks between. Words that are reserved in some places only are names.
    pub(super) keywords: &'static str,
    /// Reserved words that the marks do not help.
    pub(super) never_raw: &'static [&'static str],
    /// Reserved words in any case (PHP).
    pub(super) any_case: bool,
    /// Whether a capital first letter tells kinds apart (Ruby, Haskell).
    pub(super) case_is_kind: bool,
}

const NONE: Lexicon = Lexicon {
    ids: &[],
    letters: Letters::Loose,
    signs: &[],
    endings: &[],
    raw: None,
    keywords: "",
    never_raw: &[],
    any_case: false,
    case_is_kind: false,
};

/// The rules of a language id; very loose ones for an unknown id.
pub(super) fn of(language: &str) -> &'static Lexicon {
    TABLE.iter().find(|lexicon| lexicon.ids.contains(&language)).unwrap_or(&NONE)
}

const TABLE: &[Lexicon] = &[
    Lexicon {
        ids: &["rust"],
        letters: Letters::Xid,
        signs: &["'"],
        raw: Some(("r#", "")),
        keywords: RUST,
        never_raw: &["crate", "self", "super", "Self", "_"],
        ..NONE
    },
    Lexicon { ids: &["python"], letters: Letters::Xid, keywords: PYTHON, ..NONE },
    Lexicon {
        ids: &["javascript", "javascriptreact", "typescript", "typescriptreact", "vue", "svelte"],
        letters: Letters::XidDollar,
        signs: &["#"],
        keywords: JAVASCRIPT,
        ..NONE
    },
    Lexicon { ids: &["c", "objective-c"], letters: Letters::XidDollar, keywords: C, ..NONE },
    Lexicon {
        ids: &["cpp", "objective-cpp", "cuda-cpp", "cuda"],
        letters: Letters::XidDollar,
        signs: &["~"],
        keywords: CPP,
        ..NONE
    },
    Lexicon { ids: &["go"], letters: Letters::Xid, keywords: GO, ..NONE },
    Lexicon { ids: &["dart"], letters: Letters::AsciiDollar, keywords: DART, ..NONE },
    Lexicon { ids: &["java"], letters: Letters::XidDollar, keywords: JAVA, ..NONE },
    Lexicon {
        ids: &["kotlin"],
        letters: Letters::Xid,
        raw: Some(("`", "`")),
        keywords: KOTLIN,
        ..NONE
    },
    Lexicon {
        ids: &["ruby"],
        letters: Letters::Xid,
        signs: &["@@", "@", "$", ":"],
        endings: &['?', '!', '='],
        keywords: RUBY,
        case_is_kind: true,
        ..NONE
    },
    Lexicon {
        ids: &["php"],
        letters: Letters::Bytes,
        signs: &["$"],
        keywords: PHP,
        any_case: true,
        ..NONE
    },
    Lexicon { ids: &["lua"], letters: Letters::Ascii, keywords: LUA, ..NONE },
    Lexicon {
        ids: &["shellscript", "bash", "sh"],
        letters: Letters::Dashed,
        signs: &["$"],
        keywords: SHELL,
        ..NONE
    },
    Lexicon { ids: &["css"], letters: Letters::Css, signs: &["--", ".", "#", "@"], ..NONE },
    Lexicon {
        ids: &["scss", "sass", "less"],
        letters: Letters::Css,
        signs: &["--", ".", "#", "$", "@", "%"],
        ..NONE
    },
    Lexicon { ids: &["html", "xml"], letters: Letters::Dashed, ..NONE },
    Lexicon { ids: &["yaml", "json", "jsonc", "toml"], letters: Letters::Key, ..NONE },
    Lexicon {
        ids: &["zig"],
        letters: Letters::Ascii,
        raw: Some(("@\"", "\"")),
        keywords: ZIG,
        ..NONE
    },
    Lexicon {
        ids: &["elixir"],
        letters: Letters::Xid,
        signs: &["@", ":"],
        endings: &['?', '!'],
        keywords: ELIXIR,
        ..NONE
    },
    Lexicon {
        ids: &["haskell"],
        letters: Letters::Prime,
        keywords: HASKELL,
        case_is_kind: true,
        ..NONE
    },
    Lexicon { ids: &["ocaml"], letters: Letters::Prime, case_is_kind: true, ..NONE },
    Lexicon {
        ids: &["scala"],
        letters: Letters::XidDollar,
        raw: Some(("`", "`")),
        keywords: SCALA,
        ..NONE
    },
    Lexicon {
        ids: &["csharp"],
        letters: Letters::Xid,
        raw: Some(("@", "")),
        keywords: CSHARP,
        ..NONE
    },
    Lexicon {
        ids: &["swift"],
        letters: Letters::Xid,
        raw: Some(("`", "`")),
        keywords: SWIFT,
        ..NONE
    },
    Lexicon { ids: &["terraform", "terraform-vars"], letters: Letters::Dashed, ..NONE },
];

const RUST: &str = "\
    as async await break const continue crate dyn else enum extern false fn for if impl in let loop \
    match mod move mut pub ref return self Self static struct super trait true type unsafe use where \
    while abstract become box do final gen macro override priv try typeof unsized virtual yield _";
const PYTHON: &str = "\
    False None True and as assert async await break class continue def del elif else except finally for \
    from global if import in is lambda nonlocal not or pass raise return try while with yield";
const JAVASCRIPT: &str = "\
    await break case catch class const continue debugger default delete do else enum export extends \
    false finally for function if implements import in instanceof interface let new null package private \
    protected public return static super switch this throw true try typeof var void while with yield";
const C: &str = "\
    auto break case char const continue default do double else enum extern float for goto if inline int \
    long register restrict return short signed sizeof static struct switch typedef union unsigned void \
    volatile while _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert \
    _Thread_local";
const CPP: &str = "\
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t \
    char32_t class compl concept const consteval constexpr constinit const_cast continue co_await \
    co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern \
    false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr \
    operator or or_eq private protected public register reinterpret_cast requires return short signed \
    sizeof static static_assert static_cast struct switch template this thread_local throw true try \
    typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq";
const GO: &str = "\
    break case chan const continue default defer else fallthrough for func go goto if import interface \
    map package range return select struct switch type var _";
const DART: &str = "\
    assert await break case catch class const continue default do else enum extends false final finally \
    for if in is new null rethrow return super switch this throw true try var void while with yield";
const JAVA: &str = "\
    abstract assert boolean break byte case catch char class const continue default do double else enum \
    extends false final finally float for goto if implements import instanceof int interface long native \
    new null package private protected public return short static strictfp super switch synchronized \
    this throw throws transient true try void volatile while _";
const KOTLIN: &str = "\
    as break class continue do else false for fun if in interface is null object package return super \
    this throw true try typealias typeof val var when while _";
const RUBY: &str = "\
    __ENCODING__ __FILE__ __LINE__ BEGIN END alias and begin break case class def defined? do else elsif \
    end ensure false for if in module next nil not or redo rescue retry return self super then true \
    undef unless until when while yield";
const PHP: &str = "\
    abstract and array as break callable case catch class clone const continue declare default do echo \
    else elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends final \
    finally fn for foreach function global goto if implements include include_once instanceof insteadof \
    interface isset list match namespace new or print private protected public readonly require \
    require_once return static switch throw trait try unset use var while xor yield";
const LUA: &str = "\
    and break do else elseif end false for function goto if in local nil not or repeat return then true \
    until while";
const SHELL: &str = "\
    case coproc do done elif else esac fi for function if in select then time until while";
const ZIG: &str = "\
    addrspace align allowzero and anyframe anytype asm async await break callconv catch comptime const \
    continue defer else enum errdefer error export extern fn for if inline linksection noalias noinline \
    nosuspend opaque or orelse packed pub resume return struct suspend switch test threadlocal try union \
    unreachable usingnamespace var volatile while _";
const ELIXIR: &str = "\
    after and catch do else end false fn in nil not or rescue true when";
const HASKELL: &str = "\
    case class data default deriving do else foreign if import in infix infixl infixr instance let \
    module newtype of then type where _";
const SCALA: &str = "\
    abstract case catch class def do else extends false final finally for forSome if implicit import \
    lazy match new null object override package private protected return sealed super this throw trait \
    true try type val var while with yield _";
const CSHARP: &str = "\
    abstract as base bool break byte case catch char checked class const continue decimal default \
    delegate do double else enum event explicit extern false finally fixed float for foreach goto if \
    implicit in int interface internal is lock long namespace new null object operator out override \
    params private protected public readonly ref return sbyte sealed short sizeof stackalloc static \
    string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual \
    void volatile while";
const SWIFT: &str = "\
    Any as associatedtype break case catch class continue default defer deinit do else enum extension \
    fallthrough false fileprivate for func guard if import in init inout internal is let nil operator \
    private protocol public repeat rethrows return self Self static struct subscript super switch throw \
    throws true try typealias var where while _";

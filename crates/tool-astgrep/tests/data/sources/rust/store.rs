//! A tiny key-value store with a log.
#![allow(dead_code)]

use std::collections::{BTreeMap, HashMap as Map};
use std::fmt::{self, Display};
use std::io::prelude::*;

mod log;
pub(crate) const LIMIT: usize = 1 << 10;
static NAMES: &[&str] = &["a", "b"];
type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong.
#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    Missing(String),
    Full { limit: usize, used: u64 },
    Closed = 3,
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(key) => write!(f, "missing {key}"),
            Error::Full { limit, .. } if *limit > 10 => f.write_str("full"),
            Error::Full { limit, used: _ } => write!(f, "{} of {}", limit, 1),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

pub trait Codec: Send + Sync {
    type Item: Clone;
    const NAME: &'static str = "codec";
    fn encode(&self, item: &Self::Item) -> Vec<u8>;
    fn decode<'a>(&self, bytes: &'a [u8]) -> Option<&'a Self::Item>
    where
        Self::Item: 'a;
    fn len(&self) -> usize {
        0
    }
}

#[derive(Default)]
pub struct Store<K: Ord, V = String> {
    entries: BTreeMap<K, V>,
    pub hits: u64,
    hook: Option<Box<dyn Fn(&K) -> bool + Send>>,
}

struct Unit;
struct Pair(pub i32, f64);

impl<K, V> Store<K, V>
where
    K: Ord + Clone + Display,
    V: Clone,
{
    pub fn new() -> Self {
        Self { entries: BTreeMap::new(), hits: 0, hook: None }
    }

    pub fn get(&mut self, key: &K) -> Result<V> {
        self.hits += 1;
        if let Some(hook) = &self.hook {
            if !hook(key) {
                return Err(Error::Closed);
            }
        }
        self.entries.get(key).cloned().ok_or_else(|| Error::Missing(key.to_string()))
    }

    pub fn set(&mut self, key: K, value: V) -> Result<Option<V>, Error> {
        if self.entries.len() >= LIMIT {
            return Err(Error::Full { limit: LIMIT, used: self.entries.len() as u64 });
        } else if self.entries.contains_key(&key) && self.hits == 0 {
            self.hits = u64::MAX;
        }
        let old = self.entries.insert(key.clone(), value);
        debug_assert!(self.entries.contains_key(&key), "lost {}", key);
        Ok(old)
    }

    pub async fn load<R: Read>(&mut self, mut reader: R) -> std::io::Result<usize> {
        let mut text = String::new();
        reader.read_to_string(&mut text)?;
        let count = text.lines().filter(|line| !line.trim().is_empty()).map(str::len).sum::<usize>();
        tick(count).await;
        Ok(count)
    }
}

impl<K: Ord> Drop for Store<K> {
    fn drop(&mut self) {
        self.entries.clear();
    }
}

async fn tick(_n: usize) {}

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
    ($($x:expr),+ $(,)?) => { [$(square!($x)),+] };
}

fn classify(n: i64) -> &'static str {
    match n {
        i64::MIN..=-1 => "negative",
        0 => "zero",
        1 | 2 | 3 => "few",
        n if n % 2 == 0 => {
            let half = n / 2;
            if half > 100 { "huge" } else { "even" }
        }
        _ => "odd",
    }
}

fn sums(grid: &[[i32; 3]]) -> (i32, Vec<i32>) {
    let mut total = 0;
    let mut rows = Vec::with_capacity(grid.len());
    'outer: for (i, row) in grid.iter().enumerate() {
        let mut sum = 0i32;
        for &cell in row {
            if cell < 0 {
                continue 'outer;
            }
            sum = sum.wrapping_add(cell);
        }
        total += sum;
        rows.push(sum - i as i32);
    }
    while let Some(top) = rows.last().copied() {
        if top != 0 { break; }
        rows.pop();
    }
    let extra = loop {
        total ^= 0xff;
        break total;
    };
    (extra, rows)
}

unsafe extern "C" {
    fn abs(n: i32) -> i32;
}

pub fn main() {
    let mut store: Store<String> = Store::new();
    let Ok(_) = store.set("a".into(), r#"raw "text""#.to_owned()) else {
        panic!("cannot set");
    };
    let pair @ Pair(x, ref y) = Pair(-1, 2.5e3);
    let add = move |a: i32, b: i32| -> i32 { a + b };
    let bytes = b"bytes";
    let slice = &bytes[1..];
    let nested: Map<&str, Vec<(u8, char)>> = [("k", vec![(1, 'c'), (2, '\n')])].into_iter().collect();
    println!("{} {:?} {}", add(x, *y as i32), slice, classify(7));
    let _ = unsafe { abs(-3) } + square!(4);
    if matches!(nested.get("k"), Some(list) if list.len() > 1) || pair.1 >= f64::EPSILON {
        eprintln!("{}", NAMES[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "x")]
    fn fails() {
        assert_eq!(sums(&[[1, 2, 3]]).0, 6);
        let r: &mut dyn Iterator<Item = u8> = &mut std::iter::empty();
        assert!(r.next().is_none(), "{}", std::mem::size_of::<Unit>());
    }
}

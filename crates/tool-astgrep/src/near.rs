//! stub
use crate::{pattern::Compiled, tree::Tree};
#[derive(Default, Debug)]
pub(crate) struct NearReport;
impl NearReport {
    pub(crate) fn merge(&mut self, _o: NearReport) {}
    pub(crate) fn lines(&self) -> Vec<String> {
        Vec::new()
    }
    pub(crate) fn details(&self) -> serde_json::Value {
        serde_json::json!([])
    }
}
pub(crate) fn near_misses(_p: &Compiled, _t: &Tree, _s: &str) -> NearReport {
    NearReport
}
pub(crate) fn not_visible(_p: &Compiled, _t: &Tree, _s: &str) -> NearReport {
    NearReport
}

//! The one handle that both shows tools and runs them.

use std::collections::{HashMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use serde_json::Value;

use crate::args::Args;
use crate::call::{CallOutcome, CallRequest};
use crate::context::CallCx;
use crate::gate::GateKeeper;
use crate::layer::Layer;
use crate::pipeline;
use crate::schema::{Dialect, export};
use crate::scope::RunScope;
use crate::spec::{Lane, ToolSpec};
use crate::spill::Spill;
use crate::tier::Tier;
use crate::tool::Tool;
use crate::workspace::{Targets, Workspace};

/// A registered tool with the layers that apply to it.
pub(crate) struct Entry {
    pub(crate) tool: Arc<dyn Tool>,
    /// As it was when the registry was built: what was shown is what runs.
    pub(crate) spec: ToolSpec,
    pub(crate) guards: Box<[Arc<dyn Layer>]>,
    pub(crate) arounds: Box<[Arc<dyn Layer>]>,
}

impl Entry {
    /// A tool that panics here gets the safest lane: alone.
    pub(crate) fn lane(&self, args: &Args) -> Lane {
        std::panic::catch_unwind(AssertUnwindSafe(|| self.tool.lane(args)))
            .unwrap_or_else(|_| Lane::Serial(crate::LaneKey::new(self.spec.name.clone())))
    }

    pub(crate) fn targets(&self, args: &Args, workspace: &Workspace) -> Targets {
        std::panic::catch_unwind(AssertUnwindSafe(|| self.tool.targets(args, workspace)))
            .unwrap_or(Targets::Unknown)
    }
}

/// What an agent sees and can call. Immutable, cheap to clone, and the only handle that shows or runs tools.
///
/// A view can be narrowed and never widened. A call that runs keeps the view it was made through.
#[derive(Clone)]
pub struct ToolView {
    inner: Arc<Inner>,
}

struct Inner {
    scope: Arc<RunScope>,
    cap: Tier,
    entries: Vec<Arc<Entry>>,
    index: HashMap<String, usize>,
    gate: Option<Arc<GateKeeper>>,
    spill: Option<Arc<dyn Spill>>,
}

impl ToolView {
    pub(crate) fn new(
        scope: Arc<RunScope>,
        cap: Tier,
        entries: Vec<Arc<Entry>>,
        gate: Option<Arc<GateKeeper>>,
        spill: Option<Arc<dyn Spill>>,
    ) -> Self {
        let entries: Vec<_> = entries.into_iter().filter(|e| e.spec.tier <= cap).collect();
        let index = entries.iter().enumerate().map(|(i, e)| (e.spec.name.clone(), i)).collect();
        Self { inner: Arc::new(Inner { scope, cap, entries, index, gate, spill }) }
    }

    fn with(&self, scope: Arc<RunScope>, cap: Tier, keep: impl Fn(&ToolSpec) -> bool) -> Self {
        let entries = self.inner.entries.iter().filter(|e| keep(&e.spec)).cloned();
        let (gate, spill) = (self.inner.gate.clone(), self.inner.spill.clone());
        Self::new(scope, cap, entries.collect(), gate, spill)
    }

    /// The tools up to this tier. Never more than this view has.
    #[must_use]
    pub fn narrowed(&self, cap: Tier) -> Self {
        self.with(Arc::clone(&self.inner.scope), cap.min(self.inner.cap), |_| true)
    }

    /// Without some tools; unknown names are ignored.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        let names: HashSet<&str> = names.iter().copied().collect();
        self.with(Arc::clone(&self.inner.scope), self.inner.cap, |spec| {
            !names.contains(spec.name.as_str())
        })
    }

    /// The same tools for another scope (a worker's), up to that scope's cap. Never more than this view has.
    #[must_use]
    pub fn for_scope(&self, scope: Arc<RunScope>) -> Self {
        let cap = scope.cap().min(self.inner.cap);
        self.with(scope, cap, |_| true)
    }

    /// The cap: no tool above it is here.
    #[must_use]
    pub fn cap(&self) -> Tier {
        self.inner.cap
    }

    /// The scope that calls run in.
    #[must_use]
    pub fn scope(&self) -> &Arc<RunScope> {
        &self.inner.scope
    }

    /// The tools, always in the same order: packs as they were added, by name inside.
    #[must_use]
    pub fn surface(&self) -> Vec<&ToolSpec> {
        self.inner.entries.iter().map(|e| &e.spec).collect()
    }

    /// The spec of a tool that this view shows.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.entry(name).map(|e| &e.spec)
    }

    /// The tools as a provider wants them declared, in the order of [`surface`](Self::surface).
    #[must_use]
    pub fn export(&self, dialect: Dialect) -> Vec<Value> {
        self.surface().into_iter().map(|spec| export(spec, dialect)).collect()
    }

    /// Makes a call. One outcome, whatever happens: unknown names, wrong arguments, panics, stops and limits too.
    ///
    /// Needs a tokio runtime. Dropping the future stops the call.
    pub async fn invoke(&self, request: CallRequest) -> CallOutcome {
        self.invoke_from(request, None).await
    }

    /// Makes the calls of one model turn; outcomes come in the order of the requests.
    ///
    /// Neighbouring `read` calls with a free lane run together; every other call runs alone, in its place in the order. A
    /// second request with the same client id is refused.
    pub async fn invoke_all(&self, requests: Vec<CallRequest>) -> Vec<CallOutcome> {
        pipeline::run_batch(self, requests).await
    }

    pub(crate) async fn invoke_from(
        &self,
        request: CallRequest,
        parent: Option<&CallCx>,
    ) -> CallOutcome {
        pipeline::admit(self, request, parent).run().await
    }

    pub(crate) fn entry(&self, name: &str) -> Option<&Arc<Entry>> {
        self.inner.entries.get(*self.inner.index.get(name)?)
    }

    pub(crate) fn gate(&self) -> Option<&GateKeeper> {
        self.inner.gate.as_deref()
    }

    pub(crate) fn spill(&self) -> Option<&Arc<dyn Spill>> {
        self.inner.spill.as_ref()
    }
}

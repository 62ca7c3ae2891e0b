//! Registration: everything that is wrong is reported at once, and nothing is overwritten silently.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::gate::{GateKeeper, PermissionGate};
use crate::layer::{Layer, Stage};
use crate::resource::Resource;
use crate::scope::RunScope;
use crate::spec::{fold_name, valid_name};
use crate::spill::Spill;
use crate::tool::Tool;
use crate::view::{Entry, ToolView};

/// A set of tools, layers and resources that belong together. Constructors take what they stand on by value: what is
/// not wired is not built.
pub trait Pack {
    /// Puts the set in.
    fn install(self, installer: &mut Installer);
}

impl Pack for Vec<Arc<dyn Tool>> {
    fn install(self, installer: &mut Installer) {
        for tool in self {
            installer.arc(tool);
        }
    }
}

/// What a [`Pack`] is put in with.
#[derive(Default)]
pub struct Installer {
    tools: Vec<Arc<dyn Tool>>,
    layers: Vec<Arc<dyn Layer>>,
    resources: Vec<Arc<dyn Resource>>,
    spill: Option<Arc<dyn Spill>>,
}

impl Installer {
    /// Adds a tool.
    pub fn tool(&mut self, tool: impl Tool) -> &mut Self {
        self.arc(Arc::new(tool))
    }

    /// Adds a shared tool.
    pub fn arc(&mut self, tool: Arc<dyn Tool>) -> &mut Self {
        self.tools.push(tool);
        self
    }

    /// Adds a layer around every tool it applies to, of other packs too.
    pub fn layer(&mut self, layer: impl Layer) -> &mut Self {
        self.layers.push(Arc::new(layer));
        self
    }

    /// Hands a live thing to the run, which closes it.
    pub fn resource(&mut self, resource: Arc<dyn Resource>) -> &mut Self {
        self.resources.push(resource);
        self
    }

    /// Keeps the whole text of answers that the budget cuts, as [`RegistryBuilder::spill`] does.
    pub fn spill(&mut self, spill: Arc<dyn Spill>) -> &mut Self {
        self.spill = Some(spill);
        self
    }
}

/// Wraps one tool in another.
type Wrapper = Box<dyn FnOnce(Arc<dyn Tool>) -> Arc<dyn Tool> + Send>;

enum Change {
    Replace(Arc<dyn Tool>),
    Without(String),
    Wrap(String, Wrapper),
}

/// Collects what a run's agents can call.
#[derive(Default)]
#[must_use]
pub struct RegistryBuilder {
    /// The number is the place of the pack.
    tools: Vec<(usize, Arc<dyn Tool>)>,
    group: usize,
    layers: Vec<Arc<dyn Layer>>,
    resources: Vec<Arc<dyn Resource>>,
    changes: Vec<Change>,
    gates: Vec<Arc<dyn PermissionGate>>,
    spill: Option<Arc<dyn Spill>>,
}

impl RegistryBuilder {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool.
    pub fn tool(self, tool: impl Tool) -> Self {
        self.arc(Arc::new(tool))
    }

    /// Adds a shared tool.
    pub fn arc(mut self, tool: Arc<dyn Tool>) -> Self {
        self.tools.push((self.group, tool));
        self
    }

    /// Adds a tool if what it stands on was wired.
    pub fn maybe(self, tool: Option<impl Tool>) -> Self {
        match tool {
            Some(tool) => self.tool(tool),
            None => self,
        }
    }

    /// Adds a set. Its tools stand together on the surface.
    pub fn pack(mut self, pack: impl Pack) -> Self {
        let mut installer = Installer::default();
        pack.install(&mut installer);
        let group = self.group + 1;
        let tools = installer.tools.into_iter().map(|tool| (group, tool));
        self.tools.extend(tools);
        self.layers.append(&mut installer.layers);
        self.resources.append(&mut installer.resources);
        self.spill = installer.spill.or(self.spill);
        self.group = group + 1;
        self
    }

    /// Adds a layer around every tool it applies to; within a stage the first added is the outermost.
    pub fn layer(mut self, layer: impl Layer) -> Self {
        self.layers.push(Arc::new(layer));
        self
    }

    /// Asks this gate before every `write` and `exec` call. Without a gate nothing is asked, and the tier is the only rule.
    pub fn gate(mut self, gate: Arc<dyn PermissionGate>) -> Self {
        self.gates.push(gate);
        self
    }

    /// Keeps the whole text of answers that the output budget cuts; the cut names the file. The last one given counts;
    /// without one the rest of a cut answer is lost.
    pub fn spill(mut self, spill: Arc<dyn Spill>) -> Self {
        self.spill = Some(spill);
        self
    }

    /// Wraps one tool. The wrapper must keep the name.
    pub fn wrap(
        mut self,
        name: impl Into<String>,
        wrapper: impl FnOnce(Arc<dyn Tool>) -> Arc<dyn Tool> + Send + 'static,
    ) -> Self {
        let wrapper = Box::new(wrapper);
        self.changes.push(Change::Wrap(name.into(), wrapper));
        self
    }

    /// Takes one tool away.
    pub fn without(mut self, name: impl Into<String>) -> Self {
        self.changes.push(Change::Without(name.into()));
        self
    }

    /// Puts a tool in the place of the one with the same name.
    pub fn replace(mut self, tool: impl Tool) -> Self {
        self.changes.push(Change::Replace(Arc::new(tool)));
        self
    }

    /// The full view of the run, up to the scope's cap. `replace`, `without` and `wrap` are done after all tools are in.
    ///
    /// # Errors
    /// Everything that is wrong, at once; resources of packs are abandoned then.
    pub fn build(self, scope: Arc<RunScope>) -> Result<ToolView, BuildErrors> {
        let mut errors = Vec::new();
        let mut tools = self.tools;
        for change in self.changes {
            apply(change, &mut tools, &mut errors);
        }
        check(&tools, &mut errors);
        if self.gates.len() > 1 {
            errors.push(BuildError::TwoGates);
        }
        if errors.is_empty() {
            for resource in self.resources {
                if scope.own(resource).is_err() && !errors.contains(&BuildError::ScopeClosed) {
                    errors.push(BuildError::ScopeClosed);
                }
            }
        } else {
            for resource in self.resources {
                resource.abandon();
            }
        }
        if !errors.is_empty() {
            return Err(BuildErrors(errors));
        }
        tools.sort_by(|(g1, t1), (g2, t2)| (g1, &t1.spec().name).cmp(&(g2, &t2.spec().name)));
        let entries =
            tools.into_iter().map(|(_, tool)| Arc::new(entry(tool, &self.layers))).collect();
        let gate = self.gates.into_iter().next().map(GateKeeper::new);
        let cap = scope.cap();
        Ok(ToolView::new(scope, cap, entries, gate.map(Arc::new), self.spill))
    }
}

fn entry(tool: Arc<dyn Tool>, layers: &[Arc<dyn Layer>]) -> Entry {
    let spec = tool.spec().clone();
    let of = |stage: Stage| {
        layers
            .iter()
            .filter(|layer| layer.stage() == stage && layer.applies(&spec))
            .cloned()
            .collect()
    };
    Entry { guards: of(Stage::Guard), arounds: of(Stage::Around), spec, tool }
}

fn apply(change: Change, tools: &mut Vec<(usize, Arc<dyn Tool>)>, errors: &mut Vec<BuildError>) {
    let (what, name) = match &change {
        Change::Replace(tool) => ("replace", tool.spec().name.clone()),
        Change::Without(name) => ("without", name.clone()),
        Change::Wrap(name, _) => ("wrap", name.clone()),
    };
    let Some(at) = tools.iter().position(|(_, t)| t.spec().name == name) else {
        errors.push(BuildError::NoSuchTool { what, name });
        return;
    };
    match change {
        Change::Replace(tool) => tools[at].1 = tool,
        Change::Without(_) => {
            tools.remove(at);
        }
        Change::Wrap(_, wrapper) => {
            let wrapped = wrapper(Arc::clone(&tools[at].1));
            if wrapped.spec().name == name {
                tools[at].1 = wrapped;
            } else {
                errors.push(BuildError::Renamed { name, to: wrapped.spec().name.clone() });
            }
        }
    }
}

fn check(tools: &[(usize, Arc<dyn Tool>)], errors: &mut Vec<BuildError>) {
    let mut seen: HashMap<String, &str> = HashMap::new();
    for (_, tool) in tools {
        let spec = tool.spec();
        if !valid_name(&spec.name) {
            errors.push(BuildError::BadName { name: spec.name.clone() });
        }
        if let Some(first) = seen.insert(fold_name(&spec.name), &spec.name) {
            errors
                .push(BuildError::Duplicate { first: first.to_owned(), second: spec.name.clone() });
        }
        if spec.description.trim().is_empty() {
            errors.push(BuildError::NoDescription { name: spec.name.clone() });
        }
        if let Err(why) = object_schema(&spec.input_schema) {
            errors.push(BuildError::BadSchema { name: spec.name.clone(), why });
        }
    }
}

/// Foreign schemas are taken as they are; only what can never describe named arguments is refused.
fn object_schema(schema: &Value) -> Result<(), String> {
    let Some(map) = schema.as_object() else {
        return Err("it is not a JSON object".to_owned());
    };
    if let Some(kind) = map.get("type").filter(|kind| *kind != "object") {
        return Err(format!("its `type` is {kind}, not \"object\""));
    }
    match map.get("properties") {
        Some(properties) if !properties.is_object() => {
            Err("its `properties` is not an object".to_owned())
        }
        _ => Ok(()),
    }
}

/// One thing that is wrong with a registry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// A name that some provider refuses.
    BadName {
        /// The name.
        name: String,
    },
    /// Two names that are equal, or would be for some provider (`-`, `_` and case fold).
    Duplicate {
        /// The earlier one.
        first: String,
        /// The later one.
        second: String,
    },
    /// No description.
    NoDescription {
        /// The tool.
        name: String,
    },
    /// Not a schema of named arguments.
    BadSchema {
        /// The tool.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// `replace`, `without` or `wrap` of a tool that is not there.
    NoSuchTool {
        /// Which of the three.
        what: &'static str,
        /// The tool.
        name: String,
    },
    /// A wrapper changed the name.
    Renamed {
        /// The name that was.
        name: String,
        /// The name the wrapper gave.
        to: String,
    },
    /// More than one gate.
    TwoGates,
    /// The scope is closing.
    ScopeClosed,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadName { name } => write!(
                f,
                "`{name}` is no name for a tool: a letter or `_`, then letters, digits and `_`, at most 64"
            ),
            Self::Duplicate { first, second } if first == second => {
                write!(f, "`{first}` is registered twice; use `replace` to mean it")
            }
            Self::Duplicate { first, second } => {
                write!(f, "`{first}` and `{second}` are one name to some providers; rename one")
            }
            Self::NoDescription { name } => write!(f, "`{name}` has no description"),
            Self::BadSchema { name, why } => write!(f, "the schema of `{name}` is unusable: {why}"),
            Self::NoSuchTool { what, name } => {
                write!(f, "`{what}` names `{name}`, which is not registered")
            }
            Self::Renamed { name, to } => {
                write!(f, "the wrapper of `{name}` renames it to `{to}`")
            }
            Self::TwoGates => f.write_str("there is more than one permission gate"),
            Self::ScopeClosed => f.write_str("the run is closing"),
        }
    }
}

/// Everything that is wrong with a registry. Never empty.
///
/// `Debug` is in words, one fault a line: it is what a `main` that returns the error prints.
#[derive(Clone, PartialEq, Eq)]
pub struct BuildErrors(Vec<BuildError>);

impl BuildErrors {
    /// One by one.
    pub fn iter(&self) -> std::slice::Iter<'_, BuildError> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a BuildErrors {
    type Item = &'a BuildError;
    type IntoIter = std::slice::Iter<'a, BuildError>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for BuildErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&texts.join("; "))
    }
}

impl fmt::Debug for BuildErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the registry cannot be built:")?;
        self.0.iter().try_for_each(|error| write!(f, "\n  {error}"))
    }
}

impl std::error::Error for BuildErrors {}

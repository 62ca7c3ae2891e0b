//! The core as a harness uses it, from outside.
//!
//! What has gone wrong in other harnesses, and where it is tested that it does not here:
//!
//! | failure | test |
//! | --- | --- |
//! | a second tool of the same name wins silently | `registry::every_fault_is_reported_at_once` |
//! | what is shown and what runs differ; a hidden tool is called by its remembered name | `registry::a_narrowed_view_never_widens_and_hides_wholly`, `calls::nested_calls_see_the_same_view_and_end_somewhere` |
//! | a provider refuses a schema, a name, or a false claim of strictness | `export::*`, `schema::export::tests` |
//! | the order of tools changes between turns | `registry::the_surface_is_ordered_by_pack_and_name` |
//! | arguments encoded twice, `null`, unknown or misspelt ones, blank ids | `normalise::tests`, `args::tests` |
//! | a guard approves one thing and another runs | `calls::what_the_guard_saw_is_what_runs` |
//! | a call without an outcome after a stop, a panic or a drop | `storm::*`, `stops::*`, `calls::a_panic_is_an_internal_error_that_keeps_its_text_to_itself` |
//! | a stop looks like a refusal; a limit stops the neighbours | `stops::a_cancelled_call_has_its_grace_and_then_is_dropped`, `stops::a_limit_stops_one_call_and_no_other_with_the_same_token` |
//! | a parent is stopped and its nested call runs on | `stops::a_dropped_call_stops_what_it_asked_for_and_still_has_an_outcome` |
//! | something outlives its run | `scopes::*` |
//! | a nested call waits for the lane of its parent | `lanes::a_call_never_waits_for_its_own_ancestor` |
//! | output floods the context, a cut breaks a character, a picture or the note that mattered | `budget::tests` |
//! | the host's idle timer or the limit runs while a person thinks | `stops::waiting_for_a_person_stops_the_clock_of_the_call_and_of_its_parents` |
//! | a flood of progress blocks the tool or hides its end | `calls::events_tell_the_life_of_a_call_and_finished_is_never_lost` |
//! | nobody can approve, so it is allowed; one "always" widens to others; answers are mixed up | `gate::*` |

mod batch;
mod calls;
mod export;
mod gate;
mod lanes;
mod layers;
mod registry;
mod scopes;
mod spill;
mod stops;
mod storm;
mod support;
mod tracing;

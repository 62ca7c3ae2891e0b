//! Records of the run's log, told on standard error.

use runbound::core::{CallEvent, EventReceiver, LogLevel, LogRecord};

use crate::output::say;

/// Tells warnings and errors until the scope is gone.
pub(crate) async fn tell(mut events: EventReceiver) {
    while let Some(event) = events.recv().await {
        if let CallEvent::Log(record) = event
            && record.level >= LogLevel::Warn
        {
            say(&line(&record));
        }
    }
}

/// A record in one line.
fn line(record: &LogRecord) -> String {
    let whose = record.call.map_or(String::new(), |call| format!("call {}: ", call.number()));
    let message = record.message.replace(['\n', '\r'], " ");
    format!("runbound: {}: {whose}{message}", record.level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use runbound::core::RunScope;

    #[tokio::test]
    async fn a_record_is_a_line_and_the_telling_ends_with_the_scope() {
        let scope = RunScope::builder("c").build();
        let mut events = scope.events();
        let telling = tokio::spawn(tell(scope.events()));
        scope.log(LogLevel::Warn, format_args!("slow\nserver"));
        let Some(CallEvent::Log(record)) = events.recv().await else { panic!("no record") };
        assert_eq!(line(&record), "runbound: warn: slow server");
        drop(scope);
        telling.await.unwrap();
    }
}

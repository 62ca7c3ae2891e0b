//! One language server for one root: the handle that everything else speaks through. Owner task, hand-shake, requests.

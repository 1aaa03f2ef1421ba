//! What becomes of a table or a proof when any single operation on the disk fails, or the process ends
//! there: the same command finishes it with the same bytes, and a file that was there before is whole
//! all the time.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use foregone_record::disk::{Disk, Fault};
use foregone_record::proof::ProofManifest;
use foregone_record::write::{Target, tidied, unfinished};
use foregone_record::{Error, Values};
use foregone_rules::games::{Mnk, Nim};
use foregone_rules::{Acyclic, Game};
use foregone_trial::{Folder, game};

use super::{Failed, Plan, Subject, Technique, build, build_keyed};
use crate::control::Control;
use crate::prove::{Begun, ByStrong, Unproven, prove};
use foregone_record::threads::lock;

/// What is made.
#[derive(Clone, Copy, Debug)]
enum Work {
    Dense,
    Keyed,
    Proof,
}

const ALL: [Work; 3] = [Work::Dense, Work::Keyed, Work::Proof];

/// Makes it as the command does: first what an earlier run left behind is tidied up.
fn make(work: Work, target: &Target) -> Result<(), Error> {
    let control = Control::default();
    let plan = Plan::new(Values::ScoreDistance);
    if tidied(target)? {
        return Ok(());
    }
    let mut unheard = |_, _| {};
    let built = match work {
        Work::Dense => {
            let nim: Nim = game(&[("heaps", "1-2")]);
            build(
                Subject::new(&nim, "nim"),
                &Technique::OnDemand,
                target,
                &plan,
                &control,
                &mut unheard,
            )
        }
        Work::Keyed => {
            let lines: Mnk = game(&[("columns", "2"), ("rows", "2"), ("line", "2")]);
            build_keyed(
                Subject::new(&lines, "lines").with_measure(Some(Mnk::progress)),
                target,
                &plan,
                &control,
                &mut unheard,
            )
        }
        Work::Proof => {
            let lines: Mnk = game(&[("columns", "3"), ("rows", "2"), ("line", "2")]);
            let (position, moves, claims) = (None, Vec::new(), Vec::new());
            let manifest = ProofManifest { position, moves, claims };
            let root = lines.start();
            let mut oracle = ByStrong::new(&lines, &root, &control).unwrap();
            let begun = Begun::new(&lines, "lines", target);
            let proven = begun
                .and_then(|begun| prove(&lines, &root, manifest, &mut oracle, begun, &control));
            return match proven {
                Ok(_) => Ok(()),
                Err(Unproven::File(error)) => Err(error),
                Err(other) => panic!("{other}"),
            };
        }
    };
    match built {
        Ok(()) => Ok(()),
        Err(Failed::File(error)) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

/// Whatever went wrong, the same command ends with these bytes, and there is nothing beside them.
fn finishes(work: Work, file: &Path, whole: &[u8]) {
    make(work, &Target::from(file)).unwrap();
    assert!(std::fs::read(file).unwrap() == whole, "{work:?}");
    assert!(!unfinished(file).exists(), "{work:?}");
    let others = std::fs::read_dir(file.parent().unwrap()).unwrap().count();
    assert_eq!(others, 1, "{work:?}");
}

/// One of these tests at a time: a process that is being started holds the locks of all others for a
/// moment.
static ALONE: Mutex<()> = Mutex::new(());

/// What is there before, and has to be whole until the new file takes its place.
const OLD: &[u8] = b"what was there before";

#[test]
fn each_operation_may_fail() {
    let _alone = lock(&ALONE);
    for work in ALL {
        let place = Folder::new();
        let file = place.file("file");
        make(work, &Target::from(&file)).unwrap();
        let whole = std::fs::read(&file).unwrap();
        let mut failed = 0;
        for number in 0.. {
            std::fs::write(&file, OLD).unwrap();
            let disk = Disk::with_fault(number, Fault::Fails);
            let made = make(work, &Target::on(disk.clone(), &file));
            if !disk.was_faulty() {
                made.unwrap();
                break;
            }
            let now = std::fs::read(&file).unwrap();
            assert!(now == OLD || now == whole, "{work:?} {number}");
            if let Err(error) = made {
                // The error names a file.
                let error = error.to_string();
                assert!(
                    error.contains(file.parent().unwrap().to_str().unwrap()),
                    "{number}: {error}"
                );
                failed += 1;
            } else {
                // Only what tidies up may fail without harm.
                assert!(now == whole, "{work:?} {number}");
            }
            finishes(work, &file, &whole);
        }
        assert!(failed > 20, "{work:?} {failed}");
    }
}

/// In a process of its own, which ends at some operation.
const CUT_OFF: &str = "FOREGONE_TEST_CUT_OFF";

#[test]
#[ignore = "a process that is being started holds locks of other tests: run it alone"]
fn the_process_may_end_at_each_operation() {
    if let Ok(asked) = std::env::var(CUT_OFF) {
        let (work, rest) = asked.split_once(' ').unwrap();
        let (number, file) = rest.split_once(' ').unwrap();
        let disk = Disk::with_fault(number.parse().unwrap(), Fault::CutsOff);
        let target = Target::on(disk, Path::new(file));
        make(ALL[work.parse::<usize>().unwrap()], &target).unwrap();
        return;
    }
    let _alone = lock(&ALONE);
    for (nth, work) in ALL.into_iter().enumerate() {
        let place = Folder::new();
        let file = place.file("file");
        make(work, &Target::from(&file)).unwrap();
        let whole = std::fs::read(&file).unwrap();
        let mut ended = 0;
        for number in 0.. {
            std::fs::write(&file, OLD).unwrap();
            let child = Command::new(std::env::current_exe().unwrap())
                .args([
                    "tables::faults::the_process_may_end_at_each_operation",
                    "--exact",
                    "--ignored",
                ])
                .env(CUT_OFF, format!("{nth} {number} {}", file.display()))
                .output()
                .unwrap();
            let now = std::fs::read(&file).unwrap();
            assert!(now == OLD || now == whole, "{work:?} {number}");
            if child.status.success() {
                assert!(now == whole, "{work:?} {number}");
                break;
            }
            ended += 1;
            finishes(work, &file, &whole);
        }
        assert!(ended > 20, "{work:?} {ended}");
    }
}

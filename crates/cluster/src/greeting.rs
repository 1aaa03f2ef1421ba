//! The greeting of two processes of a build, before anything else is sent: each proves that it knows the
//! secret, and that it builds the same table with the same program. (HMAC over both sides' random numbers,
//! RFC 2104. What is sent after the greeting is neither hidden nor signed.)

use std::io::{self, Read, Write};

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use hmac::{Hmac, KeyInit, Mac};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// The longest message of a greeting in bytes, with its end of line.
const LONGEST: usize = 4096;

/// What connections are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Cells.
    Data,
    /// Signs of life, progress, and the reason of an end.
    Watch,
}

/// What all processes of a build have to agree on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreed {
    /// The program, with its version and a checksum of its file.
    pub program: String,
    /// What they do: to build or to check which table.
    pub job: String,
    /// The addresses and weights of all processes.
    pub hosts: String,
    /// The number of threads of each process.
    pub threads: usize,
}

impl Agreed {
    /// What is different at another process, in words; `None` if nothing is.
    fn difference(&self, other: &Agreed) -> Option<String> {
        let differ = |what: &str, other: &dyn std::fmt::Display, own: &dyn std::fmt::Display| {
            Some(format!("has {what} {other}, and this process {own}"))
        };
        match () {
            () if self.program != other.program => {
                differ("another build of the program:", &other.program, &self.program)
            }
            () if self.job != other.job => differ("another job:", &other.job, &self.job),
            () if self.hosts != other.hosts => differ("other hosts:", &other.hosts, &self.hosts),
            () if self.threads != other.threads => {
                differ("another number of threads:", &other.threads, &self.threads)
            }
            () => None,
        }
    }
}

/// What the system says of a connection that broke, unless the other side just closed it.
fn said(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => String::new(),
        _ => format!(": {error}"),
    }
}

/// Why a greeting failed.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// It broke off, or took too long.
    #[error("broke the connection{}", said(.0))]
    Broken(#[from] io::Error),
    /// The other side is no process of Foregone.
    #[error("is another program, not a process of this build: is another port free?")]
    Stranger,
    /// The other side expects a process with another number here.
    #[error("expects process {0} here: do all processes have the same hosts in the same order?")]
    Place(usize),
    /// The secrets differ.
    #[error("has another secret")]
    Secret,
    /// The processes build different things.
    #[error("{0}")]
    Differs(String),
    /// The table is complete already.
    #[error("has completed the table already")]
    Complete,
}

/// The first message, from the side that called.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hello {
    foregone: u32,
    from: usize,
    to: usize,
    purpose: Purpose,
    nonce: String,
}

/// The answer: a proof of the secret.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Challenge {
    nonce: String,
    proof: String,
}

/// The answer of the side that called.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
enum Answer {
    /// A proof of the secret, and what it builds.
    Proof { proof: String, agreed: Agreed },
    /// The other side has another secret.
    Secret,
}

/// The last message: what the called side builds, or why it refuses.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
enum Verdict {
    Welcome,
    Complete,
    Secret,
    Place(usize),
    Differs(Agreed),
}

/// The version of the greeting and of all that follows it.
const VERSION: u32 = 1;

/// The letters of a [`nonce`]: 32 bytes in base64.
const NONCE: usize = 43;

/// One process, as it greets others.
#[derive(Clone, Debug)]
pub struct Greeter {
    /// Its number.
    pub me: usize,
    /// The number of processes.
    pub processes: usize,
    /// The common secret; empty for none.
    pub secret: Vec<u8>,
    /// What it builds.
    pub agreed: Agreed,
    /// Whether it has completed the table, and only says so.
    pub complete: bool,
}

/// A secret that nobody can guess, as text.
///
/// # Errors
/// If the system has no random numbers.
pub fn secret() -> io::Result<String> {
    nonce()
}

fn nonce() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// Writes a message as a line.
fn say(stream: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    stream.write_all(&line)?;
    stream.flush()
}

/// Reads a message, byte by byte, because what follows it is not for the greeting.
fn apply<T: DeserializeOwned>(stream: &mut impl Read) -> Result<T, Refused> {
    let (mut line, mut byte) = (Vec::new(), [0]);
    loop {
        stream.read_exact(&mut byte)?;
        match byte[0] {
            b'\n' => break,
            byte if line.len() < LONGEST => line.push(byte),
            _ => return Err(Refused::Stranger),
        }
        if line[0] != b'{' && line[0] != b'"' {
            return Err(Refused::Stranger);
        }
    }
    serde_json::from_slice(&line).map_err(|_| Refused::Stranger)
}

impl Greeter {
    /// The code of the secret over all that was said, by a side.
    fn code(&self, side: &str, hello: &Hello, nonce: &str) -> Option<Hmac<Sha256>> {
        let mut code = Hmac::<Sha256>::new_from_slice(&self.secret).ok()?;
        let all = (side, hello.from, hello.to, hello.purpose, &hello.nonce, nonce);
        code.update(&serde_json::to_vec(&all).ok()?);
        Some(code)
    }

    fn prove(&self, side: &str, hello: &Hello, nonce: &str) -> Result<String, Refused> {
        let code = self.code(side, hello, nonce).ok_or(Refused::Secret)?;
        Ok(BASE64_URL_SAFE_NO_PAD.encode(code.finalize().into_bytes()))
    }

    fn verify(&self, side: &str, hello: &Hello, nonce: &str, proof: &str) -> Result<(), Refused> {
        let code = self.code(side, hello, nonce).ok_or(Refused::Secret)?;
        let proof = BASE64_URL_SAFE_NO_PAD.decode(proof).map_err(|_| Refused::Stranger)?;
        // In a time that does not depend on the content.
        code.verify_slice(&proof).map_err(|_| Refused::Secret)
    }

    /// Greets process `to`, which was called.
    ///
    /// # Errors
    /// If it is no process of this build.
    pub fn call(
        &self,
        stream: &mut (impl Read + Write),
        to: usize,
        purpose: Purpose,
    ) -> Result<(), Refused> {
        let hello = Hello { foregone: VERSION, from: self.me, to, purpose, nonce: nonce()? };
        say(stream, &hello)?;
        let Challenge { nonce, proof } = apply(stream)?;
        let known = self.verify("called", &hello, &nonce, &proof);
        // Only one who knows the secret learns what is built.
        if let Err(Refused::Secret) = known {
            say(stream, &Answer::Secret)?;
        }
        known?;
        let proof = self.prove("caller", &hello, &nonce)?;
        say(stream, &Answer::Proof { proof, agreed: self.agreed.clone() })?;
        match apply(stream)? {
            Verdict::Welcome => Ok(()),
            Verdict::Complete => Err(Refused::Complete),
            Verdict::Secret => Err(Refused::Secret),
            Verdict::Place(place) => Err(Refused::Place(place)),
            Verdict::Differs(other) => Err(self.differs(&other)),
        }
    }

    fn differs(&self, other: &Agreed) -> Refused {
        let difference = self.agreed.difference(other);
        Refused::Differs(difference.unwrap_or_else(|| "refuses to say why".to_owned()))
    }

    /// Hears the greeting of a process that calls: its number, and what the connection is for.
    ///
    /// # Errors
    /// If it is no process of this build, with the number that it claims. The caller learns
    /// why if it knows the secret.
    pub fn listen(
        &self,
        stream: &mut (impl Read + Write),
    ) -> Result<(usize, Purpose), (Option<usize>, Refused)> {
        let hello: Hello = apply(stream).map_err(|error| (None, error))?;
        if hello.foregone != VERSION || hello.nonce.len() != NONCE {
            return Err((None, Refused::Stranger));
        }
        let from = Some(hello.from).filter(|from| *from < self.processes);
        self.examine(stream, &hello).map_err(|error| (from, error))?;
        Ok((hello.from, hello.purpose))
    }

    fn examine(&self, stream: &mut (impl Read + Write), hello: &Hello) -> Result<(), Refused> {
        let own = nonce()?;
        say(stream, &Challenge { proof: self.prove("called", hello, &own)?, nonce: own.clone() })?;
        let (proof, agreed) = match apply(stream)? {
            Answer::Proof { proof, agreed } => (proof, agreed),
            Answer::Secret => return Err(Refused::Secret),
        };
        if let Err(error) = self.verify("caller", hello, &own, &proof) {
            say(stream, &Verdict::Secret)?;
            return Err(error);
        }
        if hello.to != self.me || hello.from <= self.me || hello.from >= self.processes {
            say(stream, &Verdict::Place(self.me))?;
            return Err(Refused::Place(hello.to));
        }
        if agreed != self.agreed {
            say(stream, &Verdict::Differs(self.agreed.clone()))?;
            return Err(self.differs(&agreed));
        }
        Ok(say(stream, if self.complete { &Verdict::Complete } else { &Verdict::Welcome })?)
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};
    use std::thread;
    use std::time::Duration;

    use super::*;

    fn greeter(me: usize) -> Greeter {
        let agreed = Agreed {
            program: "foregone 1".to_owned(),
            job: "nim".to_owned(),
            hosts: "a:1 b:1 c:1".to_owned(),
            threads: 1,
        };
        Greeter { me, processes: 3, secret: b"sesame".to_vec(), agreed, complete: false }
    }

    /// Two connected sockets, with a limit of time.
    fn pair() -> [TcpStream; 2] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (other, _) = listener.accept().unwrap();
        [one, other].map(|stream| {
            stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
            stream
        })
    }

    type Heard = (Result<(), Refused>, Result<(usize, Purpose), (Option<usize>, Refused)>);

    fn greet(caller: &Greeter, called: &Greeter) -> Heard {
        let [mut one, mut other] = pair();
        thread::scope(|scope| {
            let called = scope.spawn(move || called.listen(&mut other));
            let call = caller.call(&mut one, 0, Purpose::Watch);
            drop(one);
            (call, called.join().unwrap())
        })
    }

    #[test]
    fn processes_of_a_build_are_welcome() {
        let (call, listen) = greet(&greeter(2), &greeter(0));
        call.unwrap();
        assert_eq!(listen.unwrap(), (2, Purpose::Watch));
    }

    #[test]
    fn others_are_refused_and_told_why() {
        let changed = |change: &dyn Fn(&mut Greeter)| {
            let mut caller = greeter(1);
            change(&mut caller);
            let (call, listen) = greet(&caller, &greeter(0));
            (call.unwrap_err().to_string(), listen.unwrap_err().1.to_string())
        };
        let (call, listen) = changed(&|one| one.secret = b"open".to_vec());
        assert_eq!([call, listen], ["has another secret"; 2]);
        let (call, listen) = changed(&|one| one.agreed.program = "foregone 2".to_owned());
        assert_eq!(
            [call, listen],
            [
                "has another build of the program: foregone 1, and this process foregone 2",
                "has another build of the program: foregone 2, and this process foregone 1"
            ]
        );
        let (call, _) = changed(&|one| one.agreed.job = "kalah".to_owned());
        assert_eq!(call, "has another job: nim, and this process kalah");
        assert!(changed(&|one| one.agreed.hosts.push('x')).0.contains("other hosts"));
        assert!(changed(&|one| one.agreed.threads = 2).0.contains("another number of threads: 1"));
        let (call, listen) = changed(&|one| one.me = 3);
        assert!(call.contains("expects process 0"), "{call}");
        assert!(listen.contains("expects process 0"), "{listen}");
    }

    #[test]
    fn strangers_are_turned_away() {
        let long = vec![b'{'; 2 * LONGEST];
        let lines: [&[u8]; 6] = [
            b"GET / HTTP/1.1\r\nHost: one\r\n\r\n",
            b"\n",
            b"{}\n",
            b"{\"foregone\":2,\"from\":1,\"to\":0,\"purpose\":\"data\",\"nonce\":\"\"}\n",
            b"\x00\x01\x02",
            &long,
        ];
        for line in lines {
            let [mut one, mut other] = pair();
            one.write_all(line).unwrap();
            drop(one);
            let (_, error) = greeter(0).listen(&mut other).unwrap_err();
            assert!(matches!(error, Refused::Stranger | Refused::Broken(_)), "{line:?} {error}");
        }
    }

    /// A caller without the secret that repeats earlier messages learns nothing and is refused.
    #[test]
    fn a_proof_is_of_one_side_and_one_greeting() {
        let (one, hello) = (greeter(1), |nonce: &str| Hello {
            foregone: VERSION,
            from: 1,
            to: 0,
            purpose: Purpose::Data,
            nonce: nonce.to_owned(),
        });
        let proof = one.prove("caller", &hello("a"), "b").unwrap();
        one.verify("caller", &hello("a"), "b", &proof).unwrap();
        for (side, caller, called) in
            [("called", "a", "b"), ("caller", "b", "b"), ("caller", "a", "a")]
        {
            let wrong = one.verify(side, &hello(caller), called, &proof);
            assert!(matches!(wrong, Err(Refused::Secret)), "{side} {caller} {called}");
        }
        assert_ne!(nonce().unwrap(), nonce().unwrap());
    }
}

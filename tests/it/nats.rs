//! Provides a NATS server for tests, and a client that shares no code with Hasami.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that is stopped at the end of the test.
pub struct Server {
    process: Option<Child>,
    pub port: u16,
    arguments: Vec<String>,
}

impl Server {
    /// Starts a server. Returns `None` if `nats-server` is not installed. If `HASAMI_NEED_NATS` is set, a missing
    /// server is a failure.
    pub fn start(arguments: &[&str]) -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let arguments = arguments.iter().map(|&word| word.to_owned()).collect();
        let mut server = Self { process: None, port, arguments };
        if Command::new("nats-server").arg("--version").stdout(Stdio::null()).status().is_err() {
            assert!(std::env::var_os("HASAMI_NEED_NATS").is_none(), "expected nats-server, found none");
            println!("nats-server is not installed: not tested");
            return None;
        }
        server.go_on();
        Some(server)
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts the server again and waits until its port accepts connections.
    pub fn go_on(&mut self) {
        let mut command = Command::new("nats-server");
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string()]).args(&self.arguments);
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        self.process = Some(process);
        let deadline = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < deadline, "expected a server, found none");
            std::thread::park_timeout(Duration::from_millis(5));
        }
    }

    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A minimal client of the NATS protocol.
pub struct Stranger {
    stream: TcpStream,
    lines: BufReader<TcpStream>,
    /// Messages that have arrived and have not been taken yet.
    heard: VecDeque<(String, Vec<u8>)>,
    subscriptions: u32,
}

impl Stranger {
    /// Connects without credentials, and returns the server's first answer: `PONG` or an error.
    pub fn come(port: u16) -> (Self, String) {
        Self::connect(port, "")
    }

    /// Connects as a user of the server's configuration.
    pub fn login(port: u16, user: &str, password: &str) -> Self {
        let (client, answer) = Self::connect(port, &format!(",\"user\":\"{user}\",\"pass\":\"{password}\""));
        assert_eq!(answer, "PONG");
        client
    }

    fn connect(port: u16, login: &str) -> (Self, String) {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap());
        let mut stranger = Self { lines, stream, heard: VecDeque::new(), subscriptions: 0 };
        let info = stranger.line();
        assert!(info.starts_with("INFO "), "{info}");
        stranger.stream.write_all(format!("CONNECT {{\"verbose\":false{login}}}\r\nPING\r\n").as_bytes()).unwrap();
        let answer = stranger.line();
        (stranger, answer)
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    pub fn publish(&mut self, subject: &str, bytes: &[u8]) {
        self.stream.write_all(format!("PUB {subject} {}\r\n", bytes.len()).as_bytes()).unwrap();
        self.stream.write_all(bytes).unwrap();
        self.stream.write_all(b"\r\n").unwrap();
    }

    /// Waits until the server has received all messages that this client has published.
    pub fn flush(&mut self) {
        while self.answer() != "PONG" {}
    }

    /// Returns the server's answer to the last command: `PONG`, or an error.
    pub fn answer(&mut self) -> String {
        self.stream.write_all(b"PING\r\n").unwrap();
        let mut error = None;
        loop {
            match self.read() {
                Some(line) if line == "PONG" => return error.unwrap_or(line),
                Some(line) => error = Some(line),
                None => {}
            }
        }
    }

    /// Subscribes to a subject and returns the server's answer.
    pub fn follow(&mut self, subject: &str) -> String {
        self.subscriptions += 1;
        self.stream.write_all(format!("SUB {subject} {}\r\n", self.subscriptions).as_bytes()).unwrap();
        self.answer()
    }

    /// Subscribes to a subject, which the server must permit.
    pub fn listen(&mut self, subject: &str) {
        assert_eq!(self.follow(subject), "PONG", "{subject}");
    }

    /// Waits for the next message and returns its subject and its bytes.
    pub fn hear(&mut self) -> (String, Vec<u8>) {
        loop {
            match self.heard.pop_front() {
                Some(message) => return message,
                None => _ = self.read(),
            }
        }
    }

    /// Returns the messages that have arrived and have not been taken yet.
    pub fn take(&mut self) -> Vec<(String, Vec<u8>)> {
        self.heard.drain(..).collect()
    }

    /// Reads a line. If the line announces a message, reads and stores the message.
    fn read(&mut self) -> Option<String> {
        let line = self.line();
        assert!(!line.is_empty(), "the server has closed the connection");
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "MSG" => {
                let mut bytes = vec![0; words[words.len() - 1].parse::<usize>().unwrap() + 2];
                self.lines.read_exact(&mut bytes).unwrap();
                bytes.truncate(bytes.len() - 2);
                self.heard.push_back((words[1].to_owned(), bytes));
                None
            }
            "PING" => {
                self.stream.write_all(b"PONG\r\n").unwrap();
                None
            }
            _ => Some(line),
        }
    }
}

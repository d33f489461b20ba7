//! A browser under test: chromedriver, and what is asked of a page.

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

use axum::http::Method;
use fantoccini::{Client, ClientBuilder, Locator, error::CmdError, wd::WebDriverCompatibleCommand};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, SemaphorePermit};
use url::Url;

/// A Chrome DevTools command through chromedriver.
#[derive(Debug)]
struct Cdp(Value);

impl WebDriverCompatibleCommand for Cdp {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!(
            "session/{}/goog/cdp/execute",
            session.unwrap_or_default()
        ))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.0.to_string()))
    }
}

/// Browsers at once: more make a small machine too slow to show each second.
static BROWSERS: Semaphore = Semaphore::const_new(2);

/// chromedriver in a process namespace of its own: whatever it has started ends with it, also when a
/// test fails in between.
struct Driver(Child);

impl Driver {
    fn start(port: u16) -> Self {
        let mut unshare = Command::new("unshare");
        if !nix::unistd::geteuid().is_root() {
            unshare.args(["--user", "--map-root-user"]);
        }
        let child = unshare
            .args(["--pid", "--fork", "--kill-child", "--mount-proc"])
            .args(["chromedriver", &format!("--port={port}")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("unshare of util-linux is installed");
        Self(child)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// chromedriver with one browser; both end with it.
pub(crate) struct Browser {
    _permit: SemaphorePermit<'static>,
    pub(crate) client: Client,
    _driver: Driver,
    _profile: tempfile::TempDir,
}

impl Browser {
    pub(crate) async fn start() -> Self {
        let permit = BROWSERS.acquire().await.unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .unwrap()
            .port();
        let driver = Driver::start(port);
        let profile = tempfile::tempdir().unwrap();
        let args: Vec<String> = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--force-color-profile=srgb",
        ]
        .iter()
        .map(|arg| (*arg).to_owned())
        .chain([format!("--user-data-dir={}", profile.path().display())])
        .collect();
        let capabilities = json!({ "goog:chromeOptions": { "args": args }, "goog:loggingPrefs": { "browser": "ALL" } });
        let Value::Object(capabilities) = capabilities else {
            unreachable!("an object was written")
        };
        let mut last = None;
        for _ in 0..100 {
            match ClientBuilder::new(HttpConnector::new())
                .capabilities(capabilities.clone())
                .connect(&format!("http://127.0.0.1:{port}"))
                .await
            {
                Ok(client) => {
                    return Self {
                        _permit: permit,
                        client,
                        _driver: driver,
                        _profile: profile,
                    };
                }
                Err(error) => last = Some(error),
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("no browser session: {last:?}; apt-get install chromium chromium-driver");
    }

    /// A Chrome DevTools command.
    pub(crate) async fn cdp(&self, cmd: &str, params: Value) -> Value {
        let command = Cdp(json!({ "cmd": cmd, "params": params }));
        self.client.issue_cmd(command).await.unwrap()
    }

    pub(crate) async fn viewport(&self, width: u32, height: u32) {
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        )
        .await;
    }

    pub(crate) async fn eval(&self, script: &str) -> Value {
        self.client.execute(script, vec![]).await.unwrap()
    }

    /// Waits until a script says true.
    pub(crate) async fn until(&self, what: &str, script: &str) {
        for _ in 0..600 {
            if self.eval(&format!("return Boolean({script})")).await == json!(true) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let page = self.eval("return document.body.innerText").await;
        panic!("did not happen: {what}; the page says {page}");
    }

    /// Scripts that run in every page before its own.
    pub(crate) async fn at_each_start(&self, scripts: &[&str]) {
        for script in scripts {
            self.cdp(
                "Page.addScriptToEvaluateOnNewDocument",
                json!({ "source": script }),
            )
            .await;
        }
    }

    /// Waits as a person does until the thing can be clicked: a page may be
    /// about to show it.
    pub(crate) async fn click(&self, css: &str) {
        let mut last = None;
        for _ in 0..100 {
            match self.try_click(css).await {
                Ok(()) => return,
                Err(error) => last = Some(error),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("nothing to click at {css}: {last:?}");
    }

    async fn try_click(&self, css: &str) -> Result<(), CmdError> {
        let element = self.client.find(Locator::Css(css)).await?;
        // The driver takes what the sticky header covers for visible.
        self.client
            .execute(
                "arguments[0].scrollIntoView({ block: 'center' })",
                vec![serde_json::to_value(&element)?],
            )
            .await?;
        element.click().await
    }

    pub(crate) async fn theme(&self, theme: &str) {
        self.eval(&format!(
            "document.documentElement.dataset.theme = '{theme}'"
        ))
        .await;
    }

    /// Nothing sticks out, nothing is hard to read, nothing comes from elsewhere.
    pub(crate) async fn check_page(&self, what: &str) {
        let found = self.eval(include_str!("check_page.js")).await;
        assert_eq!(found, json!([]), "{what}");
    }

    /// Checks a page in all sizes and themes, and takes pictures of it.
    pub(crate) async fn look(&self, name: &str) {
        for (theme, width, height) in [
            ("dark", 1920, 1080),
            ("light", 1920, 1080),
            ("dark", 360, 740),
            ("light", 360, 740),
            ("dark", 320, 568),
        ] {
            self.viewport(width, height).await;
            self.theme(theme).await;
            self.check_page(&format!("{name} {theme} {width}")).await;
            self.screenshot(&format!("{name}-{theme}-{width}")).await;
        }
        assert_eq!(self.eval("return wrong").await, json!([]), "{name}");
    }

    pub(crate) async fn screenshot(&self, name: &str) {
        let dir = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| PathBuf::from("target"), PathBuf::from)
            .join("screenshots");
        std::fs::create_dir_all(&dir).unwrap();
        let png = self.client.screenshot().await.unwrap();
        std::fs::write(dir.join(format!("{name}.png")), png).unwrap();
    }
}

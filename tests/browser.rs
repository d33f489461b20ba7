//! Pages in a real browser: the countdown is right, the console works, and everything fits.

mod fake_hall;

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

use axum::http::Method;
use fake_hall::{FakeHall, PIN, picture};
use fantoccini::{Client, ClientBuilder, Locator, wd::WebDriverCompatibleCommand};
use flagfall::web::Auth;
use flagfall_core::{
    hub::{command::Command as HubCommand, view::{Phase, Update}},
    types::TableNo,
};
use hyper_util::client::legacy::connect::HttpConnector;
use jiff::SignedDuration;
use serde_json::{Value, json};
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

/// chromedriver with one browser; both end with it.
struct Browser {
    client: Client,
    driver: Child,
    _profile: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Browser {
    async fn start() -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .unwrap()
            .port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is missing: apt-get install chromium chromium-driver");
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
                        client,
                        driver,
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
    async fn cdp(&self, cmd: &str, params: Value) -> Value {
        let command = Cdp(json!({ "cmd": cmd, "params": params }));
        self.client.issue_cmd(command).await.unwrap()
    }

    async fn viewport(&self, width: u32, height: u32) {
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        )
        .await;
    }

    async fn eval(&self, script: &str) -> Value {
        self.client.execute(script, vec![]).await.unwrap()
    }

    /// Waits until a script says true.
    async fn until(&self, what: &str, script: &str) {
        for _ in 0..200 {
            if self.eval(&format!("return Boolean({script})")).await == json!(true) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let page = self.eval("return document.body.innerText").await;
        panic!("did not happen: {what}; the page says {page}");
    }

    async fn screenshot(&self, name: &str) {
        let dir = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| PathBuf::from("target"), PathBuf::from)
            .join("screenshots");
        std::fs::create_dir_all(&dir).unwrap();
        let png = self.client.screenshot().await.unwrap();
        std::fs::write(dir.join(format!("{name}.png")), png).unwrap();
    }
}

async fn log_in(browser: &Browser, hall: &FakeHall) {
    browser.client.goto(&hall.url("/console")).await.unwrap();
    browser.until("the login is shown", "!document.getElementById('gate').hidden").await;
    for (field, text) in [("name", "Anna Koval"), ("pin", PIN)] {
        let input = browser
            .client
            .find(Locator::Css(&format!("#gate [name={field}]")))
            .await
            .unwrap();
        input.send_keys(text).await.unwrap();
    }
    let button = browser
        .client
        .find(Locator::Css("#gate button"))
        .await
        .unwrap();
    button.click().await.unwrap();
    browser.until("the hall is shown", "document.querySelector('.card')").await;
}

#[tokio::test]
async fn screens_of_every_state() {
    let hall = FakeHall::start(picture::before_the_start(SignedDuration::from_secs(754))).await;
    let browser = Browser::start().await;
    browser.viewport(1920, 1080).await;
    browser.client.goto(&hall.url("/screen")).await.unwrap();
    browser.until("counting", "document.getElementById('label').textContent").await;
    for (name, phase, starts_in) in [
        ("idle", Phase::Idle, 754),
        ("scheduled", Phase::Scheduled, 6_754),
        ("seats", Phase::Seats, 754),
        ("last5", Phase::Last5, 284),
        ("last1", Phase::Last1, 47),
        ("zero", Phase::Zero, -3),
        ("held", Phase::Held, 60),
        ("started", Phase::Started, -130),
        ("playing", Phase::Playing, -4000),
        ("closed", Phase::Closed, -9000),
    ] {
        hall.change(|hall| {
            let round = picture::round(phase, SignedDuration::from_secs(starts_in));
            hall.round = Some(round.clone());
            Update { round: Some(round), ..Update::default() }
        });
        browser.until(name, &format!("document.getElementById('screen').dataset.phase === '{name}'")).await;
        browser.eval("document.getElementById('screen').dataset.shot = 1").await;
        for (theme, width, height) in [("dark", 1920, 1080), ("light", 1920, 1080), ("dark", 360, 740)] {
            browser.viewport(width, height).await;
            browser.eval(&format!("document.documentElement.dataset.theme = '{theme}'")).await;
            browser.screenshot(&format!("screen-{name}-{theme}-{width}")).await;
        }
    }
}

#[tokio::test]
async fn console_pictures() {
    let hall = FakeHall::start(picture::playing()).await;
    let browser = Browser::start().await;
    browser.viewport(1920, 1080).await;
    log_in(&browser, &hall).await;
    for theme in ["dark", "light"] {
        browser.eval(&format!("document.documentElement.dataset.theme = '{theme}'")).await;
        for (width, height) in [(1920, 1080), (360, 740)] {
            browser.viewport(width, height).await;
            browser.screenshot(&format!("console-{theme}-{width}")).await;
        }
    }
}

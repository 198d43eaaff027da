// Joins the terminal of textual-serve to our server: where it connects, how large its signs are, who
// has the keys, and what is said when there is nothing to show. terminal.js has run before, and
// waits for the page.
"use strict";

(() => {
  const LOST = "The connection to the server was lost. What you have played is saved.";
  const NO_GRAPHICS = "This browser can't draw the terminal: it has no WebGL 2.";
  const TOO_SMALL = "There is too little room for the game. Turn the phone, or make the window larger.";

  // The smallest terminal that the games fit in, and the sizes of its font in pixels.
  const COLUMNS = 60;
  const ROWS = 20;
  const LARGEST = 16;
  const SMALLEST = 6;

  // What the keys of the bar send. Letters and digits send themselves.
  const SENT = {
    esc: "\x1b",
    "←": "\x1b[D",
    "↑": "\x1b[A",
    "↓": "\x1b[B",
    "→": "\x1b[C",
    enter: "\r",
    space: " ",
    tab: "\t",
  };
  const KEYS = [
    ["esc", "←", "↑", "↓", "→", "enter", "space"],
    [..."1234567890.?:sqciuevnprltyfxb", "tab"],
  ];
  const TYPE = "abc";

  const terminal = document.getElementById("terminal");
  const bar = document.getElementById("keys");
  const notice = document.getElementById("notice");
  const words = document.getElementById("words");
  const again = document.getElementById("again");
  const isTouched = window.matchMedia("(hover: none) and (pointer: coarse)").matches;
  let connection = null;

  const address = new URL("terminal", document.baseURI);
  address.protocol = address.protocol.replace("http", "ws");
  address.search = "";
  terminal.dataset.sessionWebsocketUrl = address.href;

  // The code of a table stands in the link to it.
  const code = /\/([A-Z2-9]{4}-[A-Z2-9]{4})$/.exec(window.location.pathname)?.[1];

  function takeKeys() {
    const target = notice.hidden ? terminal.querySelector("textarea") : again;
    target?.focus({ preventScroll: true });
  }

  function say(text) {
    words.textContent = text;
    notice.hidden = false;
    again.hidden = false;
    takeKeys();
  }

  // The terminal's own socket drops what is typed before the connection stands.
  const PlainSocket = window.WebSocket;
  window.WebSocket = class extends PlainSocket {
    constructor(url) {
      const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      super(`${url}${isCalm ? "&calm=1" : ""}${code ? `&table=${code}` : ""}`);
      connection = this;
      this.addEventListener("close", (event) => say(event.reason || LOST));
      this.addEventListener("message", (event) => {
        if (typeof event.data !== "string" && again.hidden) {
          notice.hidden = true;
        }
      });
    }

    send(data) {
      if (this.readyState === PlainSocket.CONNECTING) {
        this.addEventListener("open", () => super.send(data), { once: true });
      } else if (this.readyState === PlainSocket.OPEN) {
        super.send(data);
      }
    }
  };

  // -- keys to touch -----------------------------------------------------------------------------

  // A phone's own keyboard would cover the game; it shows only while somebody types.
  function setKeyboard(isWanted) {
    const area = terminal.querySelector("textarea");
    area.inputMode = isWanted ? "text" : "none";
    area.blur();
    area.focus({ preventScroll: true });
  }

  function addKeys() {
    for (const names of KEYS) {
      const row = bar.appendChild(document.createElement("div"));
      for (const name of names === KEYS[0] ? [...names, TYPE] : names) {
        const key = row.appendChild(document.createElement("button"));
        key.type = "button";
        key.tabIndex = -1;
        key.textContent = name;
        key.addEventListener("click", () => {
          if (name === TYPE) {
            setKeyboard(terminal.querySelector("textarea").inputMode === "none");
          } else {
            connection?.send(JSON.stringify(["stdin", SENT[name] ?? name]));
          }
        });
        // The terminal keeps the focus.
        key.addEventListener("pointerdown", (event) => event.preventDefault());
        key.addEventListener("pointerup", (event) => event.stopPropagation());
      }
    }
  }

  // -- the size of signs -------------------------------------------------------------------------

  // The largest font with which the least terminal fits; 0 if there is none.
  function fittingSize() {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = "100px 'Roboto Mono', monospace";
    const sign = pen.measureText("W");
    const height = (sign.fontBoundingBoxAscent + sign.fontBoundingBoxDescent) / 100;
    const wide = terminal.clientWidth / COLUMNS / (sign.width / 100);
    // The terminal rounds the height of its lines up to whole pixels of the screen.
    const high = (terminal.clientHeight / ROWS - 1 / window.devicePixelRatio) / height;
    const size = Math.min(LARGEST, Math.floor(2 * Math.min(wide, high)) / 2);
    return size >= SMALLEST ? size : 0;
  }

  // The terminal takes its font when it starts.
  let waiting = 0;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (String(fittingSize()) !== terminal.dataset.fontSize) {
        window.location.reload();
      }
    }, 300);
  });

  // -- coming and going --------------------------------------------------------------------------

  again.addEventListener("click", () => window.location.reload());
  window.addEventListener("focus", takeKeys);
  document.addEventListener("pointerup", takeKeys);
  // Real time pauses at once for who has gone, and a page that comes back from the browser's memory
  // needs a new connection.
  window.addEventListener("pagehide", () => connection?.close());
  window.addEventListener("pageshow", (event) => event.persisted && window.location.reload());

  // The terminal measures its font when it starts, so the font must be there before.
  const start = window.onload;
  window.onload = async (event) => {
    if (!document.createElement("canvas").getContext("webgl2")) {
      say(NO_GRAPHICS);
      return;
    }
    const patience = new Promise((done) => setTimeout(done, 5000));
    const font = document.fonts.load("16px 'Roboto Mono'", "A\u2b1f\u2b22");
    await Promise.race([font.catch(() => {}), patience]);
    if (isTouched) {
      addKeys();
    }
    terminal.dataset.fontSize = fittingSize();
    if (terminal.dataset.fontSize === "0") {
      say(TOO_SMALL);
      return;
    }
    start.call(window, event);
    if (isTouched) {
      setKeyboard(false);
    } else {
      terminal.querySelector("textarea").focus({ preventScroll: true });
    }
  };
})();

// Joins the terminal of textual-serve to our server: where it connects, who has the keys, and what
// is said when there is nothing to show. terminal.js has run before, and waits for the page.
"use strict";

(() => {
  const LOST = "The connection to the server was lost. What you have played is saved.";
  const NO_GRAPHICS = "This browser can't draw the terminal: it has no WebGL 2.";

  const terminal = document.getElementById("terminal");
  const notice = document.getElementById("notice");
  const words = document.getElementById("words");
  const again = document.getElementById("again");

  const address = new URL("terminal", document.baseURI);
  address.protocol = address.protocol.replace("http", "ws");
  address.search = "";
  terminal.dataset.sessionWebsocketUrl = address.href;

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
    constructor(...given) {
      super(...given);
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

  again.addEventListener("click", () => window.location.reload());
  window.addEventListener("focus", takeKeys);
  document.addEventListener("pointerup", takeKeys);

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
    start.call(window, event);
    terminal.querySelector("textarea").focus({ preventScroll: true });
  };
})();

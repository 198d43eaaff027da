#!/usr/bin/env node
// An agent in JavaScript: plays any game at random. Nothing but node is needed.
//
// boardgames play senet --vs 'cmd:node examples/agents/javascript_agent.js'
"use strict";

const readline = require("node:readline");

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

// A small generator that can be seeded (mulberry32), so that games can be repeated.
function random(seed) {
  let state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

let legal = []; // what our seat can do now

const answers = {
  hello: () => {
    legal = []; // a game begins; forget the one before
    say({ type: "ready", name: "Random in JavaScript", version: "1.0", deterministic: true });
  },
  observe: (message) => {
    legal = message.legal; // there is more in it than this
  },
  act: (message) => {
    say({ type: "action", action: legal[Math.floor(random(message.random) * legal.length)] });
  },
  error: (message) => console.error(message.message),
  over: () => {},
  hurry: () => {},
  quit: () => process.exit(0),
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const answer = answers[message.type];
  if (answer) answer(message);
  else say({ type: "error", message: `I don't know the type ${message.type}` });
});

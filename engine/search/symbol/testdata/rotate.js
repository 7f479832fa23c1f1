import { rotate } from './keys.js';
const { rotate: turn } = require('./keys');

/** Renews the keys. */
export function rotate(now) {
  return `${rotate(now)} rotate`;
}

class Sessions {
  rotate = 1;
  rotate(now) { this.rotate(now); }
}

const login = (rotate) => rotate(1);

function logout(s) {
  const x = new Sessions();
  x.rotate(2);
  s?.rotate(3);
  const { rotate } = s;
  rotate();
  call({ rotate: 1, turn: other.rotate });
  /rotate/.test(s);
}

const keys = { rotate: 1, log: { rotate() { this.rotate(); } } };
const typed = configure({ rotate: 2 });
module.exports = {
  rotate(now) { return this.rotate(now); },
};

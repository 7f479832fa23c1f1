// Licence.
import { readFile } from 'node:fs/promises';
const path = require('path');

export const LIMIT = 10;
let cache = new Map(), hits = 0;

/** Loads one page. */
export const loadPage = async (name) => {
  const text = await readFile(path.join('pages', name), 'utf8');
  return { name, text };
};

export default class Store extends Base {
  #secret = 1;
  static shared = null;

  constructor(root) {
    super();
    this.root = root;
  }

  // Reads through the cache.
  async get(key) {
    return cache.get(key) ?? this.load(key);
  }

  handle = (event) => event.key;
}

function* walk(tree) {
  yield tree;
}

module.exports.helper = function helper(a) {
  return a;
};

Store.prototype.close = function () {};

const routes = {
  index(req) { return req; },
  about: (req) => req,
};

(function () {
  function hidden() {
    return 1;
  }
  window.start = () => hidden();
})();

describe('store', () => {
  it('gets', async () => {
    expect(1).toBe(1);
  });
});

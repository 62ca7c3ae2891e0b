'use strict';

import fs, { readFile as read } from 'node:fs';
import * as path from 'node:path';
import './side-effect.js';

const LIMIT = 25;
let cache = new Map();
var legacy = require('./legacy');

/** A feed of entries. */
export class Feed extends EventTarget {
  #entries = [];
  static instances = 0;
  title = 'untitled';

  constructor(url, { limit = LIMIT, ...rest } = {}) {
    super();
    this.url = url;
    this.options = { limit, ...rest, retry: true };
    Feed.instances += 1;
  }

  get size() {
    return this.#entries.length;
  }

  set limit(value) {
    this.options.limit = Number(value) || LIMIT;
  }

  static async fromFile(name) {
    const text = await fs.promises.readFile(path.join(process.cwd(), name), 'utf8');
    return new Feed(name).parse(text);
  }

  parse(text) {
    for (const [index, line] of text.split(/\r?\n/g).entries()) {
      if (!line.trim() || line.startsWith('#')) continue;
      const [id, name = 'none', ...tags] = line.split(',');
      this.#entries.push({ id, name, tags, index, seen: false });
    }
    return this;
  }

  async load(signal) {
    try {
      const response = await fetch(this.url, { method: 'GET', headers: { accept: 'text/csv' }, signal });
      if (!response.ok) {
        throw new Error(`status ${response.status}: ${await response.text()}`);
      } else if (response.status === 204) {
        return null;
      }
      this.parse(await response.text());
    } catch (error) {
      console.error('load failed', error?.message ?? error);
      this.dispatchEvent(new CustomEvent('error', { detail: error }));
    } finally {
      cache.delete(this.url);
    }
  }

  *[Symbol.iterator]() {
    for (let i = 0; i < this.#entries.length; i++) {
      yield this.#entries[i];
    }
    yield* [];
  }
}

export function group(items, key) {
  return items.reduce((groups, item) => {
    const name = item[key];
    (groups[name] ||= []).push(item);
    return groups;
  }, {});
}

export const debounce = (fn, wait = 100) => {
  let timer;
  return function (...args) {
    clearTimeout(timer);
    timer = setTimeout(() => fn.apply(this, args), wait);
  };
};

function kindOf(value) {
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
    case 'bigint': {
      const big = value > 10n ** 3n;
      return big ? 'large' : 'small';
    }
    default:
      break;
  }
  if (value instanceof Date && !('length' in value)) return 'date';
  else return void 0;
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function poll(feed, { every = 1000, times = 3 } = {}) {
  let count = 0;
  do {
    await feed.load();
    await sleep(every * 2 ** count);
    count++;
  } while (count < times && !feed.done);
  outer: for (const key in feed.options) {
    while (true) {
      if (key === 'retry') break outer;
      delete feed.options[key];
      break;
    }
  }
}

const handlers = {
  async click(event) {
    event.preventDefault();
  },
  'key-down': (event) => event.key === 'Enter' && handlers.click(event),
  [`on${LIMIT}`]: null,
  get ready() { return !!cache; },
};

const view = <ul className="feed" onClick={handlers.click}>{[...new Feed('x')].map((e) => <li key={e.id}>{e.name}</li>)}</ul>;

const { a: { b: deep }, c = 1 } = legacy, list = [1, , 3, ...'xy'];
legacy.default?.(deep, c, list[0], -c, typeof view);
cache = (read, new Set([1e3, 0xff, .5]), undefined);
export default handlers;
export { kindOf as kind, sleep };
export * from './more.js';

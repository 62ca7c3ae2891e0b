import { EventEmitter } from 'node:events';
import type { Agent } from 'node:http';
import * as util from 'node:util';

export type Method = 'GET' | 'POST';
type Mutable<T> = { -readonly [K in keyof T]?: T[K] };
type Value<T> = T extends Promise<infer U> ? U : T extends (infer E)[] ? E : never;
type Handler<In, Out = void> = (input: In, ...rest: unknown[]) => Out | Promise<Out>;

export enum Status {
  Idle,
  Busy = 10,
  Failed = 'failed',
}

declare global {
  interface Window {
    client?: Client;
  }
}

export interface Options extends Readonly<Base> {
  readonly url: string;
  timeout?: number;
  headers: Record<string, string>;
  onError?(error: Error): void;
  [key: string]: unknown;
}

interface Base {
  agent: Agent | null;
}

export abstract class Resource<T extends { id: number }> {
  protected abstract readonly path: string;
  private cache = new Map<number, T>();

  constructor(protected readonly client: Client, public limit: number = 10) {}

  async get(id: number): Promise<T | undefined> {
    const hit = this.cache.get(id);
    if (hit !== undefined) return hit;
    const item = await this.client.request<T>('GET', `${this.path}/${id}`);
    this.cache.set(item.id, item);
    return item;
  }

  abstract validate(item: T): asserts item is T;
}

@sealed
export class Client extends EventEmitter implements AsyncDisposable {
  static #count = 0;
  status: Status = Status.Idle;
  private handlers: { [name: string]: Handler<string> } = {};
  declare readonly options: Options;

  constructor(options: Partial<Options> & { url: string }) {
    super();
    this.options = { agent: null, headers: {}, ...options } as Options;
    Client.#count++;
  }

  get busy(): boolean {
    return this.status === Status.Busy;
  }

  request<T>(method: Method, path: string): Promise<T>;
  request<T>(method: Method, path: string, body: object): Promise<T>;
  @logged('debug')
  async request<T>(method: Method, path: string, body?: object): Promise<T> {
    this.status = Status.Busy;
    try {
      const response = await fetch(new URL(path, this.options.url), {
        method,
        body: body ? JSON.stringify(body) : undefined,
        headers: { ...this.options.headers, 'content-type': 'application/json' },
      });
      if (response.status >= 400) {
        throw new RequestError(`failed: ${response.status}`, response.status);
      }
      return (await response.json()) as T;
    } catch (error: unknown) {
      this.options.onError?.(error as Error);
      throw error;
    } finally {
      this.status = Status.Idle;
    }
  }

  on(event: string, handler: Handler<string>): this {
    this.handlers[event] ??= handler;
    return this;
  }

  async *pages<T>(path: string, size = 50): AsyncGenerator<T[], void> {
    let page = 0;
    while (true) {
      const rows = await this.request<T[]>('GET', `${path}?page=${page}&size=${size}`);
      if (rows.length === 0) break;
      yield rows;
      page += 1;
    }
  }

  async [Symbol.asyncDispose]() {
    this.removeAllListeners();
  }
}

export class RequestError extends Error {
  constructor(message: string, readonly code: number) {
    super(message);
    this.name = new.target.name;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function pick<T, K extends keyof T>(source: T, ...keys: K[]): Pick<T, K> {
  const result = {} as Pick<T, K>;
  for (const key of keys) {
    result[key] = source[key];
  }
  return result;
}

export const retry = async <T>(fn: () => Promise<T>, times = 3): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fn();
    } catch (e) {
      if (attempt >= times || !(e instanceof RequestError)) throw e;
    }
  }
};

namespace Format {
  export const bytes = (n: number): string => (n < 1024 ? `${n} B` : `${(n / 1024).toFixed(1)} KB`);
  export function label(status: Status | Method): string {
    switch (status) {
      case Status.Idle:
      case 'GET':
        return 'idle';
      default: {
        const unknown = status satisfies string | number;
        return util.format('%s', unknown);
      }
    }
  }
}

const defaults: Mutable<Options> = { timeout: 1_000, url: 'http://localhost' };
const tuple: [first: number, second?: string] = [1];
let maybe: Value<typeof tuple> | null = tuple[0]!;
const point = <const>{ x: 1, y: -2.5 };
maybe = isRecord(defaults) && 'url' in defaults ? Number(defaults.url) : maybe;
export { Format, defaults as default, point };

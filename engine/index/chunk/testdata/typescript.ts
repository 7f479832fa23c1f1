/* Licence. */
import type { Api } from './api';

export type Id = string | number;
export const enum Level { Low, High = 2 }

/** What a store does. */
export interface Store<T> {
  readonly size: number;
  get(id: Id): Promise<T>;
}

declare module 'legacy' {
  export function old(a: number): void;
}

namespace Tools.Text {
  export function trim(s: string): string {
    return s;
  }
}

@Injectable()
export abstract class MemoryStore<T> implements Store<T> {
  private items = new Map<Id, T>();

  constructor(private readonly api: Api) {}

  get size(): number {
    return this.items.size;
  }

  /** Gets one. */
  @Log()
  async get(id: Id): Promise<T> {
    return this.items.get(id)!;
  }

  onChange = (id: Id): void => {
    this.items.delete(id);
  };

  protected abstract load(id: Id): T;
}

export function isId(x: unknown): x is Id;
export function isId(x: unknown): boolean {
  return typeof x === 'string';
}

declare const VERSION: string;
export default function setup(): void {}
export { isId as checkId } from './other';

import type { rotate } from './keys';

interface Rotator {
  rotate(now: number): void;
  readonly rotate: boolean;
}

export class Sessions implements Rotator {
  constructor(private rotate: number) {}
  // Renews the keys.
  public async rotate(now: number): Promise<void> {
    this.rotate(now);
  }
}

export function login(s: Sessions, rotate: Rotator): void {
  s.rotate(1);
  rotate.rotate(2);
  let k: Map<string, Sessions>;
}

type T = { rotate: string };
enum E { rotate = 1 }

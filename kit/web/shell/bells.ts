import type { Tone } from '#kit/contract/field.ts'
import { keep, kept, useKept } from '../keep.ts'
import { mine } from '../session.ts'

/** Something that happened while the person looked elsewhere. */
export interface Bell { readonly key: string; readonly title: string; readonly tone: Tone; /** Milliseconds. */ readonly at: number; /** A path, or the task centre. */ readonly opens: string; readonly read?: boolean }
const none: readonly Bell[] = [], limit = 50

/** Rings once for one thing. */
export function noteBell(b: Bell): void {
  const all = kept(mine('bells'), none)
  if (!all.some(x => x.key === b.key)) keep(mine('bells'), [b, ...all].slice(0, limit))
}
export function useBells(): { readonly all: readonly Bell[]; readonly unread: number; read(key?: string): void; clear(): void } {
  const [all, set] = useKept(mine('bells'), none)
  return {
    all, unread: all.filter(b => !b.read).length,
    read: key => set(all.map(b => (key === undefined || b.key === key ? { ...b, read: true } : b))), clear: () => set([]),
  }
}

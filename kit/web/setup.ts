import { keep, useKept } from './keep.ts'
import { mine } from './session.ts'

/**
 * Where a person's settings lie besides this browser: all at once at sign-in, one by one when they change.
 */
export interface SetupStore {
  readonly load: () => Promise<Readonly<Record<string, string>>>
  readonly save: (key: string, json: string) => Promise<unknown>
}

let store: SetupStore | undefined
const waiting = new Map<string, ReturnType<typeof setTimeout>>()

/** Fetches what the server keeps for this person; what it says wins over this browser's copy. */
export async function linkSetup(s: SetupStore): Promise<void> {
  store = s
  for (const [key, json] of Object.entries(await s.load())) {
    try {
      keep(mine(`setup/${key}`), JSON.parse(json))
    } catch {
      /* not ours */
    }
  }
}

/**
 * A person's own setting (columns, views, density) as state: here at once, on the server within a second.
 * `initial` must be one object.
 */
export function useSetup<T>(key: string, initial: T): [value: T, set: (v: T) => void] {
  const [value, put] = useKept<T>(mine(`setup/${key}`), initial)
  return [
    value,
    v => {
      put(v)
      clearTimeout(waiting.get(key))
      waiting.set(
        key,
        setTimeout(() => {
          waiting.delete(key)
          void store?.save(key, JSON.stringify(v ?? null)).catch(() => undefined)
        }, 800),
      )
    },
  ]
}

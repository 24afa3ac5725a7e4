import { saveStored, useStored } from './browser-store.ts'
import { personalKey } from './session.ts'

/**
 * Where a person's settings are stored besides this browser: all read at sign-in, each written when it
 * changes.
 */
export interface SettingsStore {
  readonly load: () => Promise<Readonly<Record<string, string>>>
  readonly save: (key: string, json: string) => Promise<unknown>
}

let store: SettingsStore | undefined
const pendingSaves = new Map<string, ReturnType<typeof setTimeout>>()

/** Fetches what the server stores for this person; it wins over this browser's copy. */
export async function connectSettings(settingsStore: SettingsStore): Promise<void> {
  store = settingsStore
  for (const [key, json] of Object.entries(await settingsStore.load())) {
    try {
      saveStored(personalKey(`setup/${key}`), JSON.parse(json))
    } catch {
      /* another library's */
    }
  }
}

/**
 * A person's own setting (columns, views, density) as state: here at once, on the server within a second.
 * `initial` must be one object.
 */
export function useSetting<T>(key: string, initial: T): [value: T, set: (v: T) => void] {
  const [value, put] = useStored<T>(personalKey(`setup/${key}`), initial)
  return [
    value,
    values => {
      put(values)
      clearTimeout(pendingSaves.get(key))
      pendingSaves.set(
        key,
        setTimeout(() => {
          pendingSaves.delete(key)
          void store?.save(key, JSON.stringify(values ?? null)).catch(() => undefined)
        }, 800),
      )
    },
  ]
}

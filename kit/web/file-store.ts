import { defined } from '#kit/domain/defined.ts'
import { useQuery } from '@tanstack/react-query'

/** A stored file as far as a page shows it; its address can be read for the next hour. */
export interface ShownFile {
  readonly url: string
  readonly name: string
  readonly size: number
}

/** Where files are stored; set once at start. `save` returns the file key, `find` what each key holds. */
export interface FileStore {
  readonly save: (file: File, onProgress?: (progress: number) => void) => Promise<string>
  readonly find: (keys: readonly string[]) => Promise<ReadonlyMap<string, ShownFile>>
}

let store: FileStore | undefined

export const setFileStore = (s: FileStore): void => {
  store = s
}

export const saveFile: FileStore['save'] = (file, onProgress) =>
  store ? store.save(file, onProgress) : Promise.reject(new Error('暂时不能上传文件'))

/** Larger images are ignored without a message (0§5). */
export const maxImageBytes = 2048 * 1024

/** Keys requested within one tick are fetched together. */
let wantedKeys = new Set<string>()
let asking: Promise<ReadonlyMap<string, ShownFile>> | undefined
const maxKeys = 200

/** What a key holds; nothing for a file that was deleted, or that this person may not open. */
export function findFile(key: string): Promise<ShownFile | undefined> {
  wantedKeys.add(key)
  asking ??= Promise.resolve().then(async () => {
    const keys = [...wantedKeys]
    wantedKeys = new Set()
    asking = undefined
    const parts = await Promise.all(
      Array.from({ length: Math.ceil(keys.length / maxKeys) }, (_, i) =>
        defined(store).find(keys.slice(i * maxKeys, (i + 1) * maxKeys)),
      ),
    )
    return new Map(parts.flatMap(p => [...p]))
  })
  return asking.then(found => found.get(key))
}

const isUrl = (key: string): boolean => /^(https?:|data:|blob:|\/)/.test(key)
const freshMs = 45 * 60_000

/** The URLs of stored files; empty until they are known, and for a file that was deleted. */
export function useFileUrls(keys: readonly string[]): readonly string[] {
  const { data } = useQuery({
    queryKey: ['files', ...keys],
    queryFn: async () => Promise.all(keys.map(async k => (isUrl(k) ? k : ((await findFile(k))?.url ?? '')))),
    enabled: keys.length > 0 && store !== undefined,
    staleTime: freshMs,
    gcTime: freshMs,
  })
  return data ?? keys.map(k => (isUrl(k) ? k : ''))
}

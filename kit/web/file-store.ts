import { defined } from '#kit/domain/defined.ts'
import { useQuery } from '@tanstack/react-query'

/**
 * Where files are stored; set once at start. `save` returns the file key, `urls` where each key can be read
 * for the next hour.
 */
export interface FileStore {
  readonly save: (file: File, onProgress?: (progress: number) => void) => Promise<string>
  readonly urls: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>
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
let asking: Promise<ReadonlyMap<string, string>> | undefined
const maxKeys = 200

function urlOf(key: string): Promise<string> {
  wantedKeys.add(key)
  asking ??= Promise.resolve().then(async () => {
    const keys = [...wantedKeys]
    wantedKeys = new Set()
    asking = undefined
    const parts = await Promise.all(
      Array.from({ length: Math.ceil(keys.length / maxKeys) }, (_, i) =>
        defined(store).urls(keys.slice(i * maxKeys, (i + 1) * maxKeys)),
      ),
    )
    return new Map(parts.flatMap(p => [...p]))
  })
  return asking.then(found => found.get(key) ?? '')
}

const isUrl = (key: string): boolean => /^(https?:|data:|blob:|\/)/.test(key)
const freshMs = 45 * 60_000

/** The URLs of stored files; empty until they are known, and for a file that was deleted. */
export function useFileUrls(keys: readonly string[]): readonly string[] {
  const { data } = useQuery({
    queryKey: ['files', ...keys],
    queryFn: async () => Promise.all(keys.map(async k => (isUrl(k) ? k : urlOf(k)))),
    enabled: keys.length > 0 && store !== undefined,
    staleTime: freshMs,
    gcTime: freshMs,
  })
  return data ?? keys.map(k => (isUrl(k) ? k : ''))
}

import { useQuery } from '@tanstack/react-query'

/**
 * Where files go and come from; said once at start. `keep` answers the key, `addresses` where each key can be
 * read for the next hour.
 */
export interface FileStore {
  readonly keep: (file: File, onProgress?: (part: number) => void) => Promise<string>
  readonly addresses: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

let store: FileStore | undefined

export const linkFiles = (s: FileStore): void => {
  store = s
}

export const keepFile: FileStore['keep'] = (file, onProgress) =>
  store ? store.keep(file, onProgress) : Promise.reject(new Error('暂时不能上传文件'))

/** Larger pictures are turned away without a word (0§5). */
export const maxImage = 2048 * 1024

/** Keys wanted within one tick are asked for together. */
let wanted = new Set<string>()
let asking: Promise<ReadonlyMap<string, string>> | undefined
const most = 200

function addressOf(key: string): Promise<string> {
  wanted.add(key)
  asking ??= Promise.resolve().then(async () => {
    const keys = [...wanted]
    wanted = new Set()
    asking = undefined
    const parts = await Promise.all(
      Array.from({ length: Math.ceil(keys.length / most) }, (_, i) =>
        store!.addresses(keys.slice(i * most, (i + 1) * most)),
      ),
    )
    return new Map(parts.flatMap(p => [...p]))
  })
  return asking.then(found => found.get(key) ?? '')
}

const isAddress = (key: string): boolean => /^(https?:|data:|blob:|\/)/.test(key)
const fresh = 45 * 60_000

/** Where kept files can be read; empty until it is known, and for a file that is gone. */
export function useAddresses(keys: readonly string[]): readonly string[] {
  const { data } = useQuery({
    queryKey: ['files', ...keys],
    queryFn: async () => Promise.all(keys.map(async k => (isAddress(k) ? k : addressOf(k)))),
    enabled: keys.length > 0 && store !== undefined,
    staleTime: fresh,
    gcTime: fresh,
  })
  return data ?? keys.map(k => (isAddress(k) ? k : ''))
}

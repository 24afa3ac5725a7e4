import { useQuery } from '@tanstack/react-query'
import { findFile, type ShownFile } from './file-store.ts'

const freshMs = 45 * 60_000

/** Stored files with their names; those that were deleted are left out. `undefined` until they are known. */
export function useStoredFiles(
  keys: readonly string[],
): readonly (ShownFile & { readonly key: string })[] | undefined {
  const { data } = useQuery({
    queryKey: ['stored-files', ...keys],
    queryFn: async () => {
      const found = await Promise.all(keys.map(async key => ({ key, file: await findFile(key) })))
      return found.flatMap(({ key, file }) => (file ? [{ key, ...file }] : []))
    },
    enabled: keys.length > 0,
    staleTime: freshMs,
    gcTime: freshMs,
  })
  return keys.length ? data : []
}

/** `34 KB`, `2.5 MB`. */
export const formatFileSize = (bytes: number): string =>
  bytes < 1_048_576
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1_048_576).toFixed(1).replace(/\.0$/, '')} MB`

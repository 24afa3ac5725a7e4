import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { root } from './source-files.ts'

/**
 * What Node makes of the sources is kept beside the build, which halves the time to read them at the next
 * start; where that folder is not writable, in the system's folder for temporary files.
 */
export function useCompiledCode(): void {
  const { directory } = enableCompileCache(join(root, 'dist/compiled'))
  if (directory === undefined) {
    enableCompileCache()
  }
}

/** Writes it down soon, and not only at the end of the process: that may be killed. */
export function keepCompiledCode(): void {
  setTimeout(flushCompileCache, 5000).unref()
}

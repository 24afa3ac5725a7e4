import { flushCompileCache } from 'node:module'

/** Writes down soon what Node made of the sources: at the end the process may be killed. */
export function keepCompiledCode(): void {
  setTimeout(flushCompileCache, 5000).unref()
}

import { registerHooks } from 'node:module'
import { findSource } from './find-source.ts'

/*
 * Names the product's own sources to Node without asking the disk: Node looks at several files for each of
 * some ten thousand imports of a process that reads the product. In tests it also keeps Vitest from sending
 * a message about each import to its main process, for a watch mode that nobody uses there. Other names
 * (packages, what is no TypeScript) go the usual way; the address is the same either way, so that nothing is
 * read twice.
 */

// What is registered last is asked first: in tests before Vitest's own.
registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const url = findSource(specifier, context.parentURL)
    return url === undefined
      ? nextResolve(specifier, context)
      : { url, format: 'module-typescript', shortCircuit: true }
  },
})

/**
 * What the browsers that `resident.config.ts` names do not have and the pages of residents call: the build
 * lowers the language alone. It runs before the other files, some of which call it at once.
 */
type Missing = Readonly<Record<string, unknown>>

function fillIn(target: object, missing: Missing): void {
  for (const [name, value] of Object.entries(missing)) {
    if (!(name in target)) {
      Object.defineProperty(target, name, { value, writable: true, configurable: true })
    }
  }
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Of lists and texts alike. */
function at(this: ArrayLike<unknown>, index: number) {
  return this[index < 0 ? this.length + index : index]
}

const ofLists: Missing = {
  at,
  toReversed(this: readonly unknown[]) {
    // oxlint-disable-next-line unicorn/no-array-reverse -- of a copy
    return [...this].reverse()
  },
  toSorted(this: readonly unknown[], compare?: (a: unknown, b: unknown) => number) {
    // oxlint-disable-next-line unicorn/no-array-sort -- of a copy
    return [...this].sort(compare)
  },
  findLast(this: readonly unknown[], test: (value: unknown) => boolean) {
    for (let i = this.length - 1; i >= 0; i--) {
      if (test(this[i])) return this[i]
    }
    return undefined
  },
}

const ofTexts: Missing = {
  at,
  replaceAll(this: string, searched: string | RegExp, replacement: string) {
    return this.replace(
      typeof searched === 'string' ? new RegExp(escapeRegExp(searched), 'g') : searched,
      replacement,
    )
  },
}

const ofObjects: Missing = {
  fromEntries(entries: Iterable<readonly [string, unknown]>) {
    const result: Record<string, unknown> = {}
    for (const [key, value] of entries) {
      result[key] = value
    }
    return result
  },
  hasOwn: (object: object, key: string) => Object.prototype.hasOwnProperty.call(object, key),
  groupBy(values: Iterable<unknown>, keyOf: (value: unknown, index: number) => string) {
    const groups: Record<string, unknown[]> = {}
    let index = 0
    for (const value of values) {
      const key = keyOf(value, index++)
      groups[key] = [...(groups[key] ?? []), value]
    }
    return groups
  },
}

const ofPromises: Missing = {
  allSettled: (tasks: readonly unknown[]) =>
    Promise.all(
      tasks.map(task =>
        Promise.resolve(task).then(
          value => ({ status: 'fulfilled', value }),
          (reason: unknown) => ({ status: 'rejected', reason }),
        ),
      ),
    ),
}

const ofSignals: Missing = {
  timeout(ms: number) {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), ms)
    return controller.signal
  },
  any(signals: readonly AbortSignal[]) {
    const controller = new AbortController()
    const end = (): void => controller.abort()
    for (const signal of signals) {
      if (signal.aborted) {
        end()
      }
      signal.addEventListener('abort', end)
    }
    return controller.signal
  },
}

/** Other windows of so old a browser hear nothing. */
class NoChannel extends EventTarget {
  postMessage(): void {}
  close(): void {}
}

export function completeBrowser(scope: typeof globalThis): void {
  fillIn(scope, { queueMicrotask: (task: () => void) => void Promise.resolve().then(task) })
  fillIn(scope, { globalThis: scope, BroadcastChannel: NoChannel })
  fillIn(scope.Array.prototype, ofLists)
  fillIn(scope.String.prototype, ofTexts)
  fillIn(scope.Object, ofObjects)
  fillIn(scope.Promise, ofPromises)
  fillIn(scope.AbortSignal, ofSignals)
}

if (typeof document === 'object') {
  completeBrowser(self)
}

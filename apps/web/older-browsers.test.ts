import { expect, it } from 'vitest'
import { castForTest } from '#kit/domain/fixtures.ts'
import { completeBrowser } from './older-browsers.ts'

/** A browser that has none of it. */
function completed() {
  const scope = {
    Array: { prototype: {} },
    String: { prototype: {} },
    Object: {},
    Promise: {},
    AbortSignal: {},
  }
  completeBrowser(castForTest<typeof globalThis>(scope))
  return castForTest<{
    readonly Array: { readonly prototype: Record<string, (...parameters: unknown[]) => unknown> }
    readonly String: { readonly prototype: Record<string, (...parameters: unknown[]) => unknown> }
    readonly Object: typeof Object
    readonly Promise: typeof Promise
    readonly AbortSignal: typeof AbortSignal
    readonly queueMicrotask: typeof queueMicrotask
    readonly globalThis: unknown
    readonly BroadcastChannel: new (name: string) => BroadcastChannel
  }>(scope)
}

const call = (part: { readonly prototype: Record<string, (...parameters: unknown[]) => unknown> }) => ({
  on: (target: unknown, name: string, ...parameters: unknown[]): unknown =>
    part.prototype[name]?.call(target, ...parameters),
})

it('lists and texts do what they do in newer browsers, without changing the list', () => {
  const old = completed()
  const list = [3, 1, 2]
  const onList = call(old.Array)
  expect(onList.on(list, 'at', -1)).toBe(list.at(-1))
  expect(onList.on(list, 'at', 7)).toBeUndefined()
  expect(onList.on(list, 'toReversed')).toEqual(list.toReversed())
  expect(onList.on(list, 'toSorted')).toEqual([1, 2, 3])
  expect(onList.on(list, 'findLast', (n: number) => n > 1)).toBe(2)
  expect(list).toEqual([3, 1, 2])
  const onText = call(old.String)
  expect(onText.on('a.b.c', 'replaceAll', '.', '$')).toBe('a$b$c')
  expect(onText.on('a1b2', 'replaceAll', /\d/g, '')).toBe('ab')
})

it('objects and promises do what they do in newer browsers', async () => {
  const old = completed()
  expect(old.Object.fromEntries([['a', 1]])).toEqual({ a: 1 })
  expect(old.Object.hasOwn({ a: 1 }, 'a')).toBe(true)
  expect(old.Object.hasOwn({}, 'toString')).toBe(false)
  expect(old.Object.groupBy([1, 2, 3], n => (n % 2 ? 'odd' : 'even'))).toEqual({ odd: [1, 3], even: [2] })
  const tasks = [Promise.resolve(1), Promise.reject(new Error('no'))]
  expect(await old.Promise.allSettled(tasks)).toEqual(await Promise.allSettled(tasks))
  expect(await new Promise(resolve => old.queueMicrotask(() => resolve('run')))).toBe('run')
})

it('a request ends by its time or by any of its signals', async () => {
  const old = completed()
  const timed = old.AbortSignal.timeout(5)
  const controller = new AbortController()
  const either = old.AbortSignal.any([new AbortController().signal, controller.signal])
  expect([timed.aborted, either.aborted]).toEqual([false, false])
  controller.abort()
  expect(either.aborted).toBe(true)
  expect(old.AbortSignal.any([AbortSignal.abort()]).aborted).toBe(true)
  await new Promise(resolve => timed.addEventListener('abort', resolve))
  expect(timed.aborted).toBe(true)
})

it('what a browser has is left as it is', () => {
  const { at } = Array.prototype
  completeBrowser(globalThis)
  expect(Array.prototype.at).toBe(at)
  const old = completed()
  const channel = new old.BroadcastChannel('a')
  expect(channel.postMessage('nobody hears it')).toBeUndefined()
})

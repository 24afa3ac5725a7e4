import { expect, it } from 'vitest'
import { mergePassages, mergeWindowMs, type KeptPassage } from './passage-merge.ts'

interface Incoming {
  readonly key: string
  readonly atMs: number
}

const merge = (stored: readonly KeptPassage[], incoming: readonly Incoming[]) =>
  mergePassages({
    stored,
    incoming,
    keyOf: ({ key }) => key,
    timeOf: ({ atMs }) => atMs,
    windowMs: mergeWindowMs,
  })

const shown = (stored: readonly KeptPassage[], incoming: readonly Incoming[]) => {
  const { added, repeated } = merge(stored, incoming)
  return {
    added: added.map(({ passage, mergedKeys }) => [passage.key, ...mergedKeys]),
    repeated: [...repeated],
  }
}

it('records within three seconds of a kept one are the same passing, the next is another (ACS-5)', () => {
  const incoming = [0, 1000, 3000, 3001, 6000, 6001].map((atMs, i) => ({ key: `k${i}`, atMs }))
  expect(shown([], incoming)).toEqual({
    added: [
      ['k0', 'k1', 'k2'],
      ['k3', 'k4', 'k5'],
    ],
    repeated: [],
  })
})

it('what came late is measured by its own time, not by when it came', () => {
  const stored = [{ keys: ['a'], atMs: 10_000 }]
  expect(shown(stored, [{ key: 'b', atMs: 7000 }])).toEqual({ added: [], repeated: [[0, ['b']]] })
  expect(shown(stored, [{ key: 'b', atMs: 6999 }])).toEqual({ added: [['b']], repeated: [] })
})

it('a record that is there already, or was merged into one, is not taken a second time', () => {
  const stored = [{ keys: ['a', 'b'], atMs: 0 }]
  const again = [
    { key: 'a', atMs: 0 },
    { key: 'b', atMs: 100 },
    { key: 'c', atMs: 200 },
    { key: 'c', atMs: 200 },
  ]
  expect(shown(stored, again)).toEqual({ added: [], repeated: [[0, ['c']]] })
  expect(shown([], again)).toEqual({ added: [['a', 'b', 'c']], repeated: [] })
})

import { expect, it } from 'vitest'
import { planUploads, uploadsInOrder, type UploadState } from './upload-item.ts'

const plan = (states: readonly UploadState[], isOnline: boolean, isReachable = true) => {
  const items = states.map((state, index) => ({ state, index }))
  const { starting, waiting } = planUploads(items, { isOnline, isReachable })
  return [starting.map(item => item.index), waiting.map(item => item.index)]
}

it('begins as many uploads as there is room for', () => {
  expect(plan(['sending', 'queued', 'queued', 'queued', 'paused'], true)).toEqual([[1, 2], []])
  expect(plan(['done', 'sending', 'saving', 'sending', 'queued'], true)).toEqual([[], []])
})

it('without a network nothing begins: what is queued waits', () => {
  expect(plan(['waiting', 'queued', 'queued', 'failed'], false)).toEqual([[], [1, 2]])
})

it('while the server does not answer one upload alone tries it', () => {
  expect(plan(['queued', 'queued', 'queued'], true, false)).toEqual([[0], [1, 2]])
  expect(plan(['sending', 'queued', 'queued'], true, false)).toEqual([[], [1, 2]])
})

it('lists what runs first, then what needs somebody, what waits, and what is done', () => {
  const states = ['done', 'queued', 'failed', 'saving', 'waiting', 'paused', 'sending', 'detached'] as const
  const listed = uploadsInOrder(states.map((state, index) => ({ state, index })))
  expect(listed.map(item => item.index)).toEqual([3, 6, 2, 5, 7, 4, 1, 0])
})

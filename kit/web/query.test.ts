import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { invalidate, queryClient } from './query.ts'

afterEach(() => queryClient.clear())

/** A screen that asks once for what it shows; each question is answered by hand. */
function screen(entity: string) {
  const asked: ((said: string) => void)[] = []
  const o = new QueryObserver(queryClient, {
    queryKey: ['one', entity],
    queryFn: () => new Promise<string>(done => asked.push(done)),
    meta: { entities: [entity] },
  })
  const end = o.subscribe(() => {})
  return { asked, shown: () => o.getCurrentResult().data, end }
}

it('asks again for a first answer that was under way when it went stale, once however often that was said', async () => {
  const s = screen('invoice')
  for (let i = 0; i < 3; i++) {
    void invalidate(['invoice'])
  }
  expect(s.asked).toHaveLength(1)
  s.asked[0]!('开具中')
  await vi.waitFor(() => expect(s.asked).toHaveLength(2))
  s.asked[1]!('已开具')
  await vi.waitFor(() => expect(s.shown()).toBe('已开具'))
  expect(s.asked).toHaveLength(2)
  // And what is said later counts again.
  void invalidate(['invoice'])
  await vi.waitFor(() => expect(s.asked).toHaveLength(3))
  s.end()
})

it('leaves alone a first answer of something else', async () => {
  const s = screen('room')
  void invalidate(['invoice'])
  s.asked[0]!('101')
  await vi.waitFor(() => expect(s.shown()).toBe('101'))
  expect(s.asked).toHaveLength(1)
  s.end()
})

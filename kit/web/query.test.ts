import { call, everyone } from '#kit/contract/call.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { defined } from '#kit/domain/defined.ts'
import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { invalidate, invalidateCalls, queryClient, queryKeyOf } from './query.ts'
import { RequestFailure } from './send.ts'

const listOwnTasks = call({
  route: 'GET Task/GetOwn',
  title: '本人任务',
  needs: everyone,
  input: shape({}),
  output: noData,
})

afterEach(() => queryClient.clear())

/** A screen that asks once for what it shows; each question is answered by hand. */
function screen(entity: string) {
  const pendingAnswers: ((answer: string) => void)[] = []
  const o = new QueryObserver(queryClient, {
    queryKey: ['one', entity],
    queryFn: () => new Promise<string>(done => pendingAnswers.push(done)),
    meta: { entities: [entity] },
  })
  const stop = o.subscribe(() => {})
  return { asked: pendingAnswers, shown: () => o.getCurrentResult().data, end: stop }
}

it('asks again for a first answer that was under way when it went stale, once however often that was answer', async () => {
  const view = screen('invoice')
  for (let i = 0; i < 3; i++) {
    void invalidate(['invoice'])
  }
  expect(view.asked).toHaveLength(1)
  defined(view.asked[0])('开具中')
  await vi.waitFor(() => expect(view.asked).toHaveLength(2))
  defined(view.asked[1])('已开具')
  await vi.waitFor(() => expect(view.shown()).toBe('已开具'))
  expect(view.asked).toHaveLength(2)
  // And what is answer later counts again.
  void invalidate(['invoice'])
  await vi.waitFor(() => expect(view.asked).toHaveLength(3))
  view.end()
})

it('a first answer of another entity is left alone', async () => {
  const view = screen('room')
  void invalidate(['invoice'])
  defined(view.asked[0])('101')
  await vi.waitFor(() => expect(view.shown()).toBe('101'))
  expect(view.asked).toHaveLength(1)
  view.end()
})

it('does not send a write once the network is back: it fails at once', async () => {
  onlineManager.setOnline(false)
  try {
    const write = new MutationObserver<string, Error, void>(queryClient, {
      mutationFn: () => Promise.reject(new Error('网络错误')),
    })
    const outcome = await Promise.race([
      write.mutate().catch((error: Error) => error.message),
      new Promise<string>(resolve => setTimeout(() => resolve('waits'), 200)),
    ])
    expect(outcome).toBe('网络错误')
  } finally {
    onlineManager.setOnline(true)
  }
})

it('says within a second that nothing answers, after two more tries', () => {
  const { retry, retryDelay } = queryClient.getDefaultOptions().queries ?? {}
  const noAnswer = new RequestFailure(0, '网络错误')
  const delays = [0, 1, 2, 3]
    .filter(n => typeof retry === 'function' && retry(n, noAnswer))
    .map(n => (typeof retryDelay === 'function' ? retryDelay(n, noAnswer) : Infinity))
  expect(delays).toHaveLength(2)
  expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeLessThan(1000)
})

it('a call that is asked again while its first answer is under way shows what is true afterwards', async () => {
  const pendingAnswers: ((answer: string) => void)[] = []
  const o = new QueryObserver(queryClient, {
    queryKey: queryKeyOf(listOwnTasks, {}, 0),
    queryFn: () => new Promise<string>(done => pendingAnswers.push(done)),
  })
  const stop = o.subscribe(() => {})
  void invalidateCalls(listOwnTasks)
  defined(pendingAnswers[0])('未到')
  await vi.waitFor(() => expect(pendingAnswers).toHaveLength(2))
  defined(pendingAnswers[1])('正常')
  await vi.waitFor(() => expect(o.getCurrentResult().data).toBe('正常'))
  stop()
})

import { beforeEach, expect, it, vi } from 'vitest'
import { call, everyone } from '#kit/contract/call.ts'
import { parseId } from '#kit/domain/id.ts'
import { idOf, text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import type { DangerOptions } from './confirm.tsx'
import { confirmAndSend } from './record-actions.ts'

const { asked, sent, shown } = vi.hoisted(() => ({
  asked: [] as DangerOptions[],
  sent: [] as unknown[],
  shown: [] as string[],
}))

vi.mock('./confirm.tsx', () => ({
  confirmDanger: async (options: DangerOptions) => {
    asked.push(options)
    await options.run('录入有误', 'rebill')
    return true
  },
}))
vi.mock('./send.ts', () => ({
  send: async (_: unknown, input: unknown) => {
    sent.push(input)
    return { success: 1, fail: 0, skipped: 1, rows: [{ reason: '已缴费' }] }
  },
}))
vi.mock('./query.ts', () => ({ invalidate: async () => {} }))
vi.mock('./toast.ts', () => ({
  toast: { success: (line: string) => shown.push(line), warning: (line: string) => shown.push(line) },
}))

const abolish = call({
  route: 'PUT Probe/Abolish',
  title: '作废',
  needs: everyone,
  input: shape({ id: idOf('编号', { required: true }), reason: text('原因') }),
  output: noData,
})
const id = parseId('7')
const options = { actionLabel: '作废', unit: '张单据' }

beforeEach(() => {
  for (const list of [asked, sent, shown]) {
    list.length = 0
  }
})

it('the reason that was given is sent with the input; a bulk answer is reported by its figures', async () => {
  await confirmAndSend(abolish, { ...options, input: { id }, onDone: () => shown.push('done') })
  expect(asked[0]).toMatchObject({ actionLabel: '作废', unit: '张单据', count: 1 })
  expect(sent).toEqual([{ id: 7, reason: '录入有误' }])
  expect(shown).toEqual(['done', '成功 1，跳过 1（已缴费）'])
})

it('where no reason is asked none is sent; an input may be made of the reason and the choice', async () => {
  await confirmAndSend(abolish, { ...options, reason: false, input: { id } })
  const input = (reason: string, chosen: string | undefined) => ({ id, reason: `${reason} ${chosen}` })
  await confirmAndSend(abolish, { ...options, input })
  expect(sent).toEqual([{ id: 7 }, { id: 7, reason: '录入有误 rebill' }])
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { call, everyone } from '#kit/contract/call.ts'
import { idOf, text } from '#kit/contract/field.ts'
import { bulkResult, shape } from '#kit/contract/shape.ts'
import { parseId } from '#kit/domain/id.ts'
import { envelope, fakePage, fakeServer, type RecordedRequest } from './fixtures.ts'
import { confirmationOf } from './record-actions.ts'
import { setToastHost, type Toast } from './toast.ts'

const abolish = call({
  route: 'POST Probe/Abolish',
  title: '作废',
  needs: everyone,
  input: shape({ id: idOf('编号', { required: true }), reason: text('原因') }),
  output: bulkResult,
})
const id = parseId('7')
const options = { actionLabel: '作废', unit: '张单据' }
const shown: Toast[] = []
let requests: RecordedRequest[]

beforeEach(() => {
  fakePage()
  shown.length = 0
  setToastHost(toast => shown.push(toast))
  requests = fakeServer(() => envelope({ Success: 1, Fail: 0, Skipped: 1, Rows: [{ Reason: '已缴费' }] }))
})

afterEach(() => {
  setToastHost(undefined)
  vi.unstubAllGlobals()
})

const sentReasons = (): unknown[] => requests.map(({ body }) => new URLSearchParams(body).get('Data[Reason]'))

it('the reason that was given is sent with the input; a bulk answer is reported by its figures', async () => {
  const onDone = vi.fn()
  const confirmation = confirmationOf(abolish, { ...options, input: { id }, onDone })
  expect(confirmation).toMatchObject({ ...options, count: 1 })
  await confirmation.run('录入有误', undefined)
  expect(sentReasons()).toEqual(['录入有误'])
  expect(shown).toMatchObject([{ kind: 'warning', text: '成功 1，跳过 1（已缴费）' }])
  expect(onDone).toHaveBeenCalledOnce()
})

it('where no reason is asked none is sent; an input may be made of the reason and the choice', async () => {
  await confirmationOf(abolish, { ...options, reason: false, input: { id } }).run('', undefined)
  const input = (reason: string, chosen: string | undefined) => ({ id, reason: `${reason} ${chosen}` })
  await confirmationOf(abolish, { ...options, input }).run('录入有误', 'rebill')
  expect(sentReasons()).toEqual([null, '录入有误 rebill'])
})

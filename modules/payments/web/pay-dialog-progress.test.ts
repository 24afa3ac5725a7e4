import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { asId } from '#kit/domain/id.ts'
import type { OrderView } from '../contract/order.ts'
import type { PayMode } from './pay-mode.ts'
import { alertsOf, stepsOf } from './pay-dialog-progress.tsx'

const order: OrderView = {
  id: asId(1),
  orderNo: 'PO20261121000001',
  orderType: 'bill',
  state: 'waiting',
  amount: asFen(100),
  createTime: '2026-11-21 09:00:00',
  expireTime: '2026-11-21 09:15:00',
  isPrepaid: false,
  payState: 0,
  orderBody: '物业费',
  orderMain: '物业公司',
  orderObj: '1-1-101',
  url: '/pay/1',
}

const textOf = (mode: PayMode): string =>
  stepsOf({ order, setOrder: () => {}, now: 0, payingMs: undefined, fault: '', setFault: () => {} }, mode)
    .flatMap(step => [step.label, step.note])
    .join(' ')

it('the steps of a payment at the counter speak of no code and of no polling', () => {
  expect(textOf('offline')).not.toMatch(/扫码|查询|POS/)
  expect(textOf('offline')).toContain('确认收款')
  expect(textOf('qr')).toMatch(/已扫码/)
  expect(textOf('pos')).toMatch(/已发送至 POS 机/)
})

it('what is wrong is advised once', () => {
  const advice = /请|重新发起/g
  const countOf = (text: string): number => text.match(advice)?.length ?? 0
  const reason = '渠道已收款，但不能入账：账单已作废，请核对'
  const waiting = { ...order, state: 'paying', failReason: reason } as const
  expect(alertsOf(waiting, '')).toEqual([reason])
  expect(alertsOf(waiting, `暂不能取消：${reason}`)).toEqual([reason])
  expect(alertsOf({ ...waiting, failReason: '渠道金额不符' }, '')).toEqual([
    '渠道金额不符，请联系有退款权限的人员处理，不要重复收款',
  ])
  const failed = { ...order, state: 'failed', failReason: '余额不足，请更换支付方式' } as const
  expect(alertsOf(failed, failed.failReason)).toEqual(['支付失败：余额不足，请更换支付方式'])
  expect(alertsOf({ ...failed, failReason: '余额不足' }, '').map(countOf)).toEqual([1])
  expect(alertsOf({ ...order, state: 'paid' }, '')).toEqual([])
})

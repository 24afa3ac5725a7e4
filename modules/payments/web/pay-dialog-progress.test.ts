import { expect, it } from 'vitest'
import { asFen } from '#kit/domain/money.ts'
import { asId } from '#kit/domain/id.ts'
import type { OrderView } from '../contract/order.ts'
import type { PayMode } from './pay-mode.ts'
import { stepsOf } from './pay-dialog-progress.tsx'

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

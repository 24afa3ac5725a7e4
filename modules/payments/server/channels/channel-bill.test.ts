import { expect, it, assert } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { parseChannelBill } from './channel-bill.ts'

const day = '2026-11-20'

const refusalMessage = (work: () => unknown): string => {
  try {
    work()
    return ''
  } catch (e) {
    assert(e instanceof Refused)
    return e.message
  }
}

it('CLO-5: WeChat’s rows: marks against spreadsheets off, refunds by what was asked back, a failed refund none, the total line none', () => {
  const head = [
    '交易时间',
    '微信订单号',
    '商户订单号',
    '交易状态',
    '应结订单金额',
    '商户退款单号',
    '退款金额',
    '退款状态',
    '订单金额',
    '申请退款金额',
  ]
  expect(
    parseChannelBill(
      [
        head,
        [
          '`2026-11-20 09:00:01',
          '`42',
          '`DD1',
          '`SUCCESS',
          '`190.00',
          '`0',
          '`0.00',
          '`',
          '`200.00',
          '`0.00',
        ],
        [
          '`2026-11-19 23:59:59',
          '`43',
          '`DD2',
          '`REFUND',
          '`0.00',
          '`TK1',
          '`9.00',
          '`SUCCESS',
          '`0.00',
          '`10.00',
        ],
        [
          '`2026-11-20 10:00:00',
          '`44',
          '`DD3',
          '`REFUND',
          '`0.00',
          '`TK2',
          '`5.00',
          '`FAIL',
          '`0.00',
          '`5.00',
        ],
        ['总交易单数', '应结订单总金额'],
        ['`3', '`190.00'],
      ],
      day,
    ),
  ).toEqual([
    {
      kind: 'pay',
      orderNo: 'DD1',
      transactionId: '42',
      refundNo: '',
      amount: 20_000,
      status: 'SUCCESS',
      at: '2026-11-20 09:00:01',
    },
    {
      kind: 'refund',
      orderNo: 'DD2',
      transactionId: '43',
      refundNo: 'TK1',
      amount: 1000,
      status: 'REFUND',
      at: '2026-11-19 23:59:59',
    },
  ])
})

it('CLO-5: Alipay’s rows: comments, tabs, negative refunds', () => {
  expect(
    parseChannelBill(
      [
        ['#支付宝业务明细查询'],
        [
          '支付宝交易号',
          '商户订单号',
          '业务类型',
          '创建时间',
          '完成时间',
          '订单金额（元）',
          '退款批次号/请求号',
        ],
        ['2026A\t', 'DD1\t', '交易\t', '2026-11-19 23:59:58\t', '2026-11-20 00:00:01\t', '1,234.50\t', '\t'],
        ['2026A\t', 'DD1\t', '退款\t', '2026-11-20 01:00:00\t', '2026-11-20 01:00:00\t', '-34.50\t', 'TK9\t'],
        ['#交易合计：1笔'],
      ],
      day,
    ).map(l => [l.kind, l.orderNo, l.refundNo, l.amount]),
  ).toEqual([
    ['pay', 'DD1', '', 123_450],
    ['refund', 'DD1', 'TK9', 3450],
  ])
})

it('a file of another day, of something else, or with a changed sum is refused with a message', () => {
  const head = ['交易时间', '交易流水号', '商户订单号', '交易状态', '金额']
  const line = (at: string, sum = '1.00') => [at, 'T1', 'DD1', 'SUCCESS', sum]
  expect(refusalMessage(() => parseChannelBill([head, line('2026-11-18 10:00:00')], day))).toContain(
    '文件中是 2026-11-18 的交易',
  )
  expect(refusalMessage(() => parseChannelBill([head, line('2026-11-21 10:00:00')], day))).toContain(
    '2026-11-21',
  )
  // One at midnight beside those of the day is the channel's way.
  expect(
    parseChannelBill([head, line('2026-11-20 10:00:00'), line('2026-11-21 00:00:03')], day),
  ).toHaveLength(2)
  expect(refusalMessage(() => parseChannelBill([['姓名']], day))).toContain('缺少「商户订单号」列')
  expect(refusalMessage(() => parseChannelBill([['商户订单号', '金额']], day))).toContain(
    '缺少「交易时间」列',
  )
  expect(refusalMessage(() => parseChannelBill([head, line('2026-11-20 10:00:00', '一元')], day))).toContain(
    '不是数字',
  )
  expect(parseChannelBill([head], day)).toEqual([])
})

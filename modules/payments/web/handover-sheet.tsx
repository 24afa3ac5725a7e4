import { labelOf } from '#kit/contract/field.ts'
import { toChineseCapitals } from '#kit/domain/money.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { currentMinute } from '#kit/web/date-format.ts'
import { handoverState, payMethod } from '../contract/choices.ts'
import type { CashierHandover } from '../contract/day-close.ts'
import type { PrintContent } from '#modules/accounts/web/public.ts'
import { PaperDialog } from './paper-dialog.tsx'

/** What stands on the sheet that goes with the cash. */
export const buildHandoverContent = (h: CashierHandover): PrintContent => ({
  facts: [
    { part: 'no', label: '单号', value: h.handNo },
    { part: 'operator', label: '收费员', value: h.cashierName },
    { part: 'date', label: '起止', value: `${h.beginTime.slice(0, 16)} 至 ${h.endTime.slice(0, 16)}` },
    { label: '状态', value: labelOf(handoverState, h.state) },
  ],
  columns: [
    { part: 'method', label: '支付方式' },
    { label: '笔数', right: true },
    { label: '收', right: true },
    { label: '退', right: true },
    { label: '净额', right: true },
  ],
  rows: h.methods.map(m => [
    labelOf(payMethod, m.method),
    m.count,
    displayYuan(m.received),
    m.refunded ? displayYuan(m.refunded) : '',
    displayYuan(m.received - m.refunded),
  ]),
  total: [
    '合计',
    '',
    displayYuan(h.totalReceived),
    displayYuan(h.totalRefund),
    displayYuan(h.totalReceived - h.totalRefund),
  ],
  lines: [
    { label: '应交现金', value: displayYuan(h.cashAmount, true) },
    {
      label: '实交现金',
      value: `${displayYuan(h.handAmount, true)}${h.diff ? `（${h.diff > 0 ? '长款' : '短款'} ${displayYuan(Math.abs(h.diff))}）` : ''}`,
    },
    { part: 'capitals', label: '实交（大写）', value: toChineseCapitals(h.handAmount) },
  ],
  ...(h.remark ? { remark: h.remark } : {}),
  signatures: ['交款人', '收款人'],
  printedAt: currentMinute(),
  words: {
    单号: h.handNo,
    日期: h.endTime.slice(0, 10),
    金额: displayYuan(h.handAmount),
    大写: toChineseCapitals(h.handAmount),
    经办人: h.cashierName,
  },
})

/** The sheet that goes with the cash, signed by both. */
export const HandoverSheet = ({
  of: h,
  onClose,
}: {
  readonly of: CashierHandover
  readonly onClose: () => void
}) => (
  <PaperDialog
    docType="handover"
    project={h.projectCode}
    title={`打印交账单 ${h.handNo}`}
    onClose={onClose}
    content={buildHandoverContent(h)}
  />
)

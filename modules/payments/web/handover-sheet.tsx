import { labelOf } from '#kit/contract/field.ts'
import { inCapitals } from '#kit/domain/money.ts'
import { yuan } from '#kit/web/figure.tsx'
import { momentText } from '#kit/web/when.ts'
import { handoverState, payMethod } from '../contract/choices.ts'
import type { CashierHandover } from '../contract/close.ts'
import type { PrintContent } from '#modules/accounts/web/public.ts'
import { PaperDialog } from './paper-dialog.tsx'

/** What stands on the sheet that goes with the cash. */
export const handoverContent = (h: CashierHandover): PrintContent => ({
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
    yuan(m.received),
    m.refunded ? yuan(m.refunded) : '',
    yuan(m.received - m.refunded),
  ]),
  total: ['合计', '', yuan(h.totalReceived), yuan(h.totalRefund), yuan(h.totalReceived - h.totalRefund)],
  lines: [
    { label: '应交现金', value: yuan(h.cashAmount, true) },
    {
      label: '实交现金',
      value: `${yuan(h.handAmount, true)}${h.diff ? `（${h.diff > 0 ? '长款' : '短款'} ${yuan(Math.abs(h.diff))}）` : ''}`,
    },
    { part: 'capitals', label: '实交（大写）', value: inCapitals(h.handAmount) },
  ],
  ...(h.remark ? { remark: h.remark } : {}),
  signatures: ['交款人', '收款人'],
  printedAt: momentText(),
  words: {
    单号: h.handNo,
    日期: h.endTime.slice(0, 10),
    金额: yuan(h.handAmount),
    大写: inCapitals(h.handAmount),
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
    content={handoverContent(h)}
  />
)

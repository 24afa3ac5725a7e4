import { labelOf } from '#kit/contract/field.ts'
import { asFen, subtractFen, toChineseCapitals } from '#kit/domain/money.ts'
import { displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { currentMinute } from '#kit/web/date-format.ts'
import { handoverState, payMethod } from '../contract/choices.ts'
import type { CashierHandover } from '../contract/day-close.ts'
import {
  handoverColumns,
  namedPart,
  noAmount,
  signaturesOf,
  type PrintContent,
} from '#modules/accounts/web/public.ts'
import { PrintDialog } from './print-dialog.tsx'

type PrintedHandover = Pick<
  CashierHandover,
  | 'handNo'
  | 'cashierName'
  | 'beginTime'
  | 'endTime'
  | 'state'
  | 'methods'
  | 'totalReceived'
  | 'totalRefund'
  | 'cashAmount'
  | 'handAmount'
  | 'diff'
  | 'remark'
>

/** What is printed on the sheet that goes with the cash. */
export const buildHandoverContent = (handover: PrintedHandover): PrintContent => ({
  facts: [
    { ...namedPart('handover', 'no'), value: handover.handNo },
    { ...namedPart('handover', 'operator'), value: handover.cashierName },
    {
      ...namedPart('handover', 'date'),
      // Broken between the two moments, never inside one.
      value: (
        <>
          <span className="print-whole">{handover.beginTime.slice(0, 16)} 至</span>{' '}
          <span className="print-whole">{handover.endTime.slice(0, 16)}</span>
        </>
      ),
    },
    { label: '状态', value: labelOf(handoverState, handover.state) },
  ],
  columns: [namedPart('handover', 'method'), ...handoverColumns.map(label => ({ label, right: true }))],
  rows: handover.methods.map(line => [
    labelOf(payMethod, line.method),
    line.count,
    displayYuan(line.received),
    line.refunded ? displayYuan(line.refunded) : noAmount,
    displayYuan(subtractFen(line.received, line.refunded)),
  ]),
  total: [
    '合计',
    handover.methods.reduce((count, m) => count + m.count, 0),
    displayYuan(handover.totalReceived),
    displayYuan(handover.totalRefund),
    displayYuan(subtractFen(handover.totalReceived, handover.totalRefund)),
  ],
  lines: [
    { label: '应交现金', value: displayYuanWithSymbol(handover.cashAmount) },
    {
      label: '实交现金',
      value: `${displayYuanWithSymbol(handover.handAmount)}${handover.diff ? `（${handover.diff > 0 ? '长款' : '短款'} ${displayYuan(asFen(Math.abs(handover.diff)))}）` : ''}`,
    },
    { ...namedPart('handover', 'capitals'), value: toChineseCapitals(handover.handAmount) },
  ],
  ...(handover.remark ? { remark: handover.remark } : {}),
  signatures: signaturesOf('handover'),
  printedAt: currentMinute(),
  words: {
    单号: handover.handNo,
    日期: handover.endTime.slice(0, 10),
    金额: displayYuan(handover.handAmount),
    大写: toChineseCapitals(handover.handAmount),
    经办人: handover.cashierName,
  },
})

/** The sheet that goes with the cash, signed by both. */
export const HandoverSheet = ({
  of: handover,
  onClose,
}: {
  readonly of: CashierHandover
  readonly onClose: () => void
}) => (
  <PrintDialog
    docType="handover"
    project={handover.projectCode}
    title={`打印交账单 ${handover.handNo}`}
    onClose={onClose}
    content={buildHandoverContent(handover)}
  />
)

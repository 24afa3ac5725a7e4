import type { Id } from '#kit/domain/id.ts'
import { AutoComplete, Modal } from 'antd'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useMemo } from 'react'
import { defined } from '#kit/domain/defined.ts'
import { asFen, subtractFen, type Fen } from '#kit/domain/money.ts'
import { toastResult } from '#kit/web/record-actions.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useFirstValue } from '#kit/web/use-first-value.ts'
import { useCall, useSend } from '#kit/web/query.ts'
import { redInvoice, redPart } from '../contract/invoicing.ts'
import { getInvoice, type InvoiceRecord } from '../contract/record.ts'
import { resolveRedAmounts } from '../domain/invoice.ts'
import { findNumberFaults } from './action-dialogs.tsx'
import type { InvoiceWithParts } from './invoice-detail.tsx'
import { invoiceLabel } from './labels.ts'
import { PartAmountsTable, rowsOf, sumAmounts } from './part-amounts-table.tsx'

interface PartAmount {
  readonly partId: Id
  readonly amount: unknown
}

type InvoicePart = InvoiceWithParts['parts'][number]
type RedValues = NonNullable<typeof redInvoice.input.T>

const remainingOf = (part: InvoicePart): Fen => subtractFen(part.amount, part.redAmount)

/** One row per part of the invoice: chosen ones are taken back, at most what is left of each (INV-5). */
const createPartsControl = (parts: readonly InvoicePart[]): Control =>
  function RedParts({ value, onChange, onBlur, nestedFaults, disabled, id }) {
    const amounts = rowsOf<PartAmount>(value)
    const places = new Map(parts.map((part, index) => [part.id, index]))
    const placeOf = ({ partId }: PartAmount): number => defined(places.get(partId))
    const save = (changed: readonly PartAmount[]): void =>
      onChange(changed.toSorted((a, b) => placeOf(a) - placeOf(b)))
    const rows = parts.map(part => {
      const index = amounts.findIndex(amount => amount.partId === part.id)
      const others = amounts.filter(amount => amount.partId !== part.id)
      const remaining = remainingOf(part)
      return {
        key: String(part.id),
        part,
        total: part.amount,
        totalNote: part.redAmount > 0 ? `已红冲 ${displayYuan(part.redAmount)}` : undefined,
        available: remaining,
        availableNote: part.dueAmount > 0 ? `已退 ${displayYuan(part.dueAmount)}` : undefined,
        isUnavailable: remaining <= 0,
        isChosen: index >= 0,
        amount: amounts[index]?.amount,
        fault: nestedFaults[`[${index}].amount`],
        onToggle: (isChosen: boolean) =>
          save(isChosen ? [...amounts, { partId: part.id, amount: remaining }] : others),
        onAmountChange: (amount: unknown) => save([...others, { partId: part.id, amount }]),
      }
    })
    return (
      <PartAmountsTable
        id={id}
        rows={rows}
        headings={{ total: '已开票', available: '可红冲', amount: '红冲金额' }}
        actionLabel="红冲"
        amountField={redPart.amount}
        disabled={disabled}
        onBlur={onBlur}
      />
    )
  }

const reasonOptions = ['抬头有误', '金额有误', '收款已退', '重复开票'].map(value => ({ value }))

const ReasonControl: Control = ({ value, onChange, onBlur, id, disabled, invalid, describedBy }) => (
  <AutoComplete
    id={id}
    style={{ width: '100%' }}
    value={typeof value === 'string' ? value : ''}
    options={reasonOptions}
    disabled={disabled}
    maxLength={200}
    status={invalid ? 'error' : ''}
    onChange={onChange}
    onBlur={onBlur}
    aria-label="红冲原因"
    {...(describedBy ? { 'aria-describedby': describedBy } : {})}
  />
)

const createGroups = (invoice: InvoiceWithParts) => [
  {
    keys: [
      {
        key: 'parts',
        label: `红冲明细（可红冲合计 ${displayYuanWithSymbol(subtractFen(invoice.totalAmount, invoice.redAmount))}）`,
        help: '可只红冲其中几行，或每行的一部分',
        control: createPartsControl(invoice.parts),
      },
      { key: 'reason', control: ReasonControl },
    ],
  },
  ...(invoice.channel === 'manual'
    ? [
        {
          title: '红字发票',
          keys: [
            { key: 'invoiceNo', label: '红字发票号' },
            { key: 'invoiceCode', label: '红字发票代码' },
            { key: 'issueTime', help: '不填为现在' },
          ],
        },
      ]
    : []),
]

/** What was refunded to the payer has to be taken back; otherwise all that is left. */
function createInitial(invoice: InvoiceWithParts) {
  const refunded = invoice.parts.filter(part => part.dueAmount > 0)
  const parts = refunded.length ? refunded : invoice.parts.filter(part => remainingOf(part) > 0)
  return {
    id: invoice.id,
    ...(refunded.length ? { reason: '收款已退' } : {}),
    parts: parts.map(part => ({ partId: part.id, amount: part.dueAmount || remainingOf(part) })),
  }
}

const createRules =
  (invoice: InvoiceWithParts) =>
  (values: RedValues): Record<string, string> | undefined => {
    const faults: Record<string, string> = {
      ...(invoice.channel === 'manual' ? findNumberFaults(values) : {}),
    }
    if (!values.parts?.length) {
      faults.parts = '请勾选要红冲的明细'
    }
    for (const { index, message } of resolveRedAmounts(invoice.parts, values.parts ?? []).faults) {
      faults[`parts[${index}].amount`] = message
    }
    return Object.keys(faults).length ? faults : undefined
  }

function RedForm({ invoice, onClose }: { readonly invoice: InvoiceWithParts; readonly onClose: () => void }) {
  const red = useSend(redInvoice, { quiet: true })
  const remaining = invoice.totalAmount - invoice.redAmount
  const groups = useMemo(() => createGroups(invoice), [invoice])
  const initial = useMemo(() => createInitial(invoice), [invoice])
  const rules = useMemo(() => createRules(invoice), [invoice])
  return (
    <EditDialog
      shape={redInvoice.input}
      draftKey={draftKeyOf(redInvoice, [invoice.id, invoice.redAmount])}
      title={`红冲发票 ${invoiceLabel(invoice)}`}
      groups={groups}
      initial={initial}
      submitLabel="红冲"
      presentation="drawer"
      rules={rules}
      save={values => red.mutateAsync({ ...values, id: invoice.id })}
      onClose={onClose}
      onDone={answer => {
        toastResult(
          answer,
          invoice.channel === 'manual' ? '已红冲，收款恢复为可开票' : '已提交红冲，结果出来后会更新状态',
        )
        onClose()
      }}
      below={values => {
        const amount = sumAmounts(values.parts ?? [])
        return (
          <p className="invoice-sum">
            {invoice.buyerName}，本次红冲 <b className="figure">{displayYuanWithSymbol(amount)}</b>，
            {amount >= remaining
              ? '红冲后整张为已红冲'
              : `余下 ${displayYuanWithSymbol(asFen(remaining - amount))} 仍然有效`}
            ；完成后红冲的部分恢复为可开票
          </p>
        )
      }}
    />
  )
}

interface RedDialogProps {
  readonly invoice: Pick<InvoiceRecord, 'id'>
  readonly onClose: () => void
}

/** 红冲 (INV-5): which lines, how much of each, prefilled with what is left. */
export function RedDialog({ invoice, onClose }: RedDialogProps) {
  const call = useCall(getInvoice, { id: invoice.id }, { quiet: true, staleMs: 0 })
  // What is reversed is fetched again: the form stays in its place.
  const start = useFirstValue(call.isFetching ? undefined : call.data)
  if (!start)
    return (
      <Modal open title="红冲发票" footer={null} onCancel={onClose}>
        {call.isError ? <p role="alert">{call.error.message}</p> : <RowSkeleton rows={6} />}
      </Modal>
    )
  return <RedForm invoice={start} onClose={onClose} />
}

import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { Checkbox, Modal } from 'antd'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useMemo } from 'react'
import { addFen, asFen, type Fen } from '#kit/domain/money.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { useFirstValue } from '#kit/web/use-first-value.ts'
import { useFocusReturn } from '#kit/web/use-focus-return.ts'
import { getRecord, type PayRecord } from '../contract/record.ts'
import { requestRefund, listRefunds, refundLine, type FeeRefund } from '../contract/refund.ts'
import {
  findRefundLineFaults,
  maxRefundOf,
  refundableAmount,
  refundablePartsOf,
  sumPendingLines,
  sumRefundLines,
  type RefundablePart,
  type RefundLine,
} from '../domain/refund.ts'
import { refundWaitsText } from './refund-outcome.ts'
import { RefundSum } from './refund-sum.tsx'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import './payments.css'

type RecordWithDetails = NonNullable<typeof getRecord.output.T>
type RefundValues = NonNullable<typeof requestRefund.input.T>

/** A line as it is edited: what is typed is perhaps no amount yet. */
interface EditedLine {
  readonly detailId: Id
  readonly principal?: unknown
  readonly late?: unknown
}

const isEditedLine = (value: unknown): value is EditedLine =>
  typeof value === 'object' && value !== null && 'detailId' in value && typeof value.detailId === 'number'

const editedLinesOf = (value: unknown): readonly EditedLine[] =>
  Array.isArray(value) ? value.filter(isEditedLine) : []

const amountOf = (value: unknown): Fen => (typeof value === 'number' ? asFen(value) : 0)

const toRefundLine = ({ detailId, principal, late }: EditedLine): RefundLine => ({
  detailId,
  principal: amountOf(principal),
  late: amountOf(late),
})

interface RefundLineRowProps {
  readonly detail: RecordWithDetails['details'][number]
  readonly part: RefundablePart
  readonly line: EditedLine | undefined
  readonly fault: string | undefined
  readonly disabled: boolean
  readonly onChange: (line: EditedLine | undefined) => void
  readonly onBlur: () => void
}

/** A bill of the payment: selected, it goes back, at most what remains of it. */
function RefundLineRow({ detail, part, line, fault, disabled, onChange, onBlur }: RefundLineRowProps) {
  const max = maxRefundOf(part)
  const isEmpty = max.principal + max.late <= 0
  const inputProps = { status: fault ? ('error' as const) : undefined, onBlur }
  return (
    <tr data-off={isEmpty || undefined}>
      <td>
        <Checkbox
          checked={line !== undefined}
          disabled={disabled || isEmpty}
          aria-label={`退 ${detail.feeItemName} ${detail.billNo}`}
          onChange={event => onChange(event.target.checked ? { detailId: detail.id, ...max } : undefined)}
        />
      </td>
      <td>
        <span>{detail.feeItemName}</span>
        <small>{detail.sourceName}</small>
      </td>
      <td className="figure">{formatPeriod(detail.beginDate, detail.endDate)}</td>
      <td className="right figure">{displayYuan(addFen(detail.principal, detail.lateFee))}</td>
      <td className="right figure">{displayYuan(addFen(max.principal, max.late))}</td>
      <td className="right">
        {line && (
          <NumberInput
            field={refundLine.principal}
            label={`${detail.billNo} 退本金`}
            value={line.principal}
            onChange={principal => onChange({ ...line, principal })}
            {...inputProps}
          />
        )}
      </td>
      <td className="right">
        {line &&
          (max.late > 0 ? (
            <NumberInput
              field={refundLine.late}
              label={`${detail.billNo} 退违约金`}
              value={line.late}
              onChange={late => onChange({ ...line, late })}
              {...inputProps}
            />
          ) : (
            <span className="absent">--</span>
          ))}
        {fault && <small className="fault">{fault}</small>}
      </td>
    </tr>
  )
}

/** The lines of the refund, in the order of the payment's bills. */
const createLinesControl = (record: RecordWithDetails, parts: readonly RefundablePart[]): Control =>
  function RefundLines({ value, onChange, onBlur, nestedFaults, disabled, id }) {
    const lines = editedLinesOf(value)
    const positionById = new Map(parts.map((part, position) => [part.id, position]))
    const positionOf = (detailId: Id): number => defined(positionById.get(detailId))
    const replaceLine = (detailId: Id, line: EditedLine | undefined): void =>
      onChange(
        [...lines.filter(other => other.detailId !== detailId), ...(line ? [line] : [])].toSorted(
          (a, b) => positionOf(a.detailId) - positionOf(b.detailId),
        ),
      )
    return (
      <table className="refund-lines" id={id}>
        <thead>
          <tr>
            <th />
            <th>收费项目</th>
            <th>账期</th>
            <th className="right">已收</th>
            <th className="right">可退</th>
            <th className="right">退本金</th>
            <th className="right">退违约金</th>
          </tr>
        </thead>
        <tbody>
          {record.details.map(detail => {
            const index = lines.findIndex(line => line.detailId === detail.id)
            return (
              <RefundLineRow
                key={detail.id}
                detail={detail}
                part={defined(parts[positionOf(detail.id)])}
                line={lines[index]}
                fault={nestedFaults[`[${index}].principal`] ?? nestedFaults[`[${index}].late`]}
                disabled={disabled}
                onChange={line => replaceLine(detail.id, line)}
                onBlur={onBlur}
              />
            )
          })}
        </tbody>
      </table>
    )
  }

const wholeRefundOf = (parts: readonly RefundablePart[]): RefundLine[] =>
  parts
    .map(part => ({ detailId: part.id, ...maxRefundOf(part) }))
    .filter(line => line.principal + line.late > 0)

type RefundInput = Partial<NonNullable<typeof requestRefund.input.T>>

const abolishesBills = ({ billAfter }: RefundInput): boolean => billAfter === 'abolished'

/** To abolish bills, one states what becomes of their days (GEN-3). */
const periodFault = (values: RefundInput): Record<string, string> =>
  abolishesBills(values) && !values.periodAfter ? { periodAfter: '请选择账期处理：重新出账，或不再收取' } : {}

interface RefundFormProps {
  readonly record: RecordWithDetails
  readonly otherRefunds: readonly FeeRefund[]
  readonly onClose: () => void
}

function RefundForm({ record, otherRefunds, onClose }: RefundFormProps) {
  const request = useSend(requestRefund, { quiet: true })
  const parts = useMemo(
    () => refundablePartsOf(record.details, sumPendingLines(otherRefunds)),
    [otherRefunds, record],
  )
  const groups = useMemo(
    () => [
      {
        keys: [
          {
            key: 'lines',
            label: `退款明细（可退合计 ${displayYuanWithSymbol(refundableAmount(record))}）`,
            control: createLinesControl(record, parts),
          },
          'refundWay',
          'billAfter',
          { key: 'periodAfter', isHidden: (values: RefundInput) => !abolishesBills(values) },
          'reason',
        ],
      },
    ],
    [parts, record],
  )
  const initial = useMemo(
    () => ({
      recordId: record.id,
      lines: wholeRefundOf(parts),
      refundWay: 'original' as const,
      billAfter: 'owed' as const,
    }),
    [parts, record.id],
  )
  const findFaults = (lines: readonly EditedLine[]): Record<string, string> =>
    lines.length
      ? Object.fromEntries(
          findRefundLineFaults(parts, lines.map(toRefundLine)).map(({ index, message }) => [
            `lines[${index}].principal`,
            message,
          ]),
        )
      : { lines: '请勾选要退的账单' }
  const submit = async (values: RefundValues): Promise<void> => {
    const refund = await request.mutateAsync({
      ...values,
      recordId: record.id,
      lines: values.lines.map(toRefundLine),
    })
    toast.success(
      refundWaitsText(refund.state, refund.refundNo) ?? `已退款 ${displayYuanWithSymbol(refund.amount)}`,
    )
  }
  return (
    <EditDialog
      shape={requestRefund.input}
      draftKey={draftKeyOf(requestRefund, record.id)}
      title={`退款：${record.sourceName} ${record.receiptNo ?? record.recordNo}`}
      groups={groups}
      initial={initial}
      submitLabel="申请退款"
      presentation="drawer"
      rules={values => ({ ...findFaults(editedLinesOf(values.lines)), ...periodFault(values) })}
      save={submit}
      onClose={onClose}
      onDone={onClose}
      below={values => (
        <RefundSum
          record={record}
          amount={sumRefundLines(editedLinesOf(values.lines).map(toRefundLine))}
          values={values}
        />
      )}
    />
  )
}

interface RefundDialogProps {
  readonly of: Pick<PayRecord, 'id'>
  readonly onClose: () => void
}

/** 退款 (REF-2): which bills, how much, how it goes back, what becomes of the bills. */
export function RefundDialog({ of: { id }, onClose }: RefundDialogProps) {
  // Before the form: it takes the place of what is shown while it loads.
  useFocusReturn()
  const record = useCall(getRecord, { id }, { quiet: true, staleMs: 0 })
  const refunds = useCall(listRefunds, { recordId: [String(id)], size: 200 }, { quiet: true, staleMs: 0 })
  const error = record.error ?? refunds.error
  const isFresh = !record.isFetching && !refunds.isFetching
  // Its own refund is fetched again: another dialog in its place would lose what was typed, and take the keys
  // from the dialog below.
  const start = useFirstValue(
    isFresh && record.data && refunds.data
      ? { record: record.data, otherRefunds: refunds.data.rows }
      : undefined,
  )
  if (!start)
    return (
      <Modal open title="退款" footer={null} onCancel={onClose}>
        {error ? <p role="alert">{error.message}</p> : <RowSkeleton rows={6} />}
      </Modal>
    )
  return <RefundForm {...start} onClose={onClose} />
}

import type { Day } from '#kit/domain/day.ts'
import { Checkbox } from 'antd'
import type { Field } from '#kit/contract/field.ts'
import { asFen, sumFen, type Fen } from '#kit/domain/money.ts'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import './invoices.css'

/** While it is typed an amount may be no number yet. */
export const sumAmounts = (amounts: readonly { readonly amount: unknown }[]): Fen =>
  sumFen(amounts.map(({ amount }) => (typeof amount === 'number' ? asFen(amount) : 0)))

/** The rows of the form's value; the control alone writes them. */
export const rowsOf = <T,>(value: unknown): readonly T[] => (Array.isArray(value) ? value : [])

export interface PartRow {
  readonly key: string
  readonly part: {
    readonly feeItemName: string
    readonly sourceName: string
    readonly beginDate?: Day | undefined
    readonly endDate?: Day | undefined
    readonly recordNo?: string | undefined
    readonly receiptNo?: string | undefined
  }
  readonly total: Fen
  readonly totalNote?: string | undefined
  /** At most so much may be chosen. */
  readonly available: Fen
  readonly availableNote?: string | undefined
  readonly isUnavailable: boolean
  /** Why it cannot be chosen. */
  readonly refusal?: string | undefined
  readonly isChosen: boolean
  readonly amount: unknown
  readonly fault: string | undefined
  readonly onToggle: (isChosen: boolean) => void
  readonly onAmountChange: (amount: unknown) => void
}

interface PartAmountsTableProps {
  readonly id: string
  readonly rows: readonly PartRow[]
  readonly headings: { readonly total: string; readonly available: string; readonly amount: string }
  /** The action of the checkbox, before the part's name. */
  readonly actionLabel: string
  readonly amountField: Field
  readonly disabled: boolean
  readonly onBlur: () => void
}

function PartAmountsRow({
  row,
  headings,
  actionLabel,
  amountField,
  disabled,
  onBlur,
}: Omit<PartAmountsTableProps, 'id' | 'rows'> & { readonly row: PartRow }) {
  const { part, fault } = row
  return (
    <tr data-off={row.isUnavailable || undefined}>
      <td>
        <Checkbox
          checked={row.isChosen}
          disabled={disabled || row.isUnavailable}
          aria-label={`${actionLabel} ${part.sourceName} ${part.feeItemName} ${part.beginDate ?? ''}`}
          onChange={event => row.onToggle(event.target.checked)}
        />
      </td>
      <td>
        <span>{part.feeItemName}</span>
        <small>{part.sourceName}</small>
      </td>
      <td className="figure">
        {part.beginDate && part.endDate ? formatPeriod(part.beginDate, part.endDate) : '--'}
      </td>
      <td className="figure">{part.receiptNo ?? part.recordNo}</td>
      <td className="right figure">
        {displayYuan(row.total)}
        {row.totalNote && <small>{row.totalNote}</small>}
      </td>
      <td className="right figure">
        {displayYuan(row.available)}
        {row.availableNote && <small>{row.availableNote}</small>}
      </td>
      <td>
        {row.isChosen ? (
          <NumberInput
            field={amountField}
            label={`${part.feeItemName} ${headings.amount}`}
            value={row.amount}
            status={fault ? 'error' : undefined}
            onChange={row.onAmountChange}
            onBlur={onBlur}
          />
        ) : (
          row.refusal && <small>{row.refusal}</small>
        )}
        {fault && <small className="fault">{fault}</small>}
      </td>
    </tr>
  )
}

/** One row per part of a payment or an invoice: the chosen ones with an amount each. */
export function PartAmountsTable({ id, rows, ...rowProps }: PartAmountsTableProps) {
  const { headings } = rowProps
  const chosen = rows.filter(row => row.isChosen)
  return (
    <div className="invoice-parts scroll">
      <table id={id}>
        <thead>
          <tr>
            <th />
            <th>收费项目</th>
            <th>账期</th>
            <th>收据</th>
            <th className="right">{headings.total}</th>
            <th className="right">{headings.available}</th>
            <th>{headings.amount}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <PartAmountsRow key={row.key} row={row} {...rowProps} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td />
            <td colSpan={5}>
              已选 {chosen.length} / {rows.length} 笔
            </td>
            <td>
              <b className="figure">{displayYuanWithSymbol(sumAmounts(chosen))}</b>
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

import type { Decimal } from '#kit/domain/decimal.ts'
import type { Fen } from '#kit/domain/money.ts'
import { Money } from '#kit/web/numbers.tsx'

interface ItemLine {
  readonly lineNo: number
  readonly itemName: string
  readonly spec?: string
  readonly unit: string
  readonly quantity: Decimal
  readonly price: Decimal
  readonly amount: Fen
}

interface LineTableProps<L extends ItemLine> {
  readonly label: string
  readonly lines: readonly L[]
  readonly priceLabel: string
  /** Columns between the quantity and the price. */
  readonly progress?: readonly { readonly title: string; readonly value: (line: L) => Decimal }[]
  readonly note?: { readonly title: string; readonly value: (line: L) => string | undefined }
}

/** Lines with what they come to. */
export function LineTable<L extends ItemLine>({
  label,
  lines,
  priceLabel,
  progress = [],
  note,
}: LineTableProps<L>) {
  return (
    <table className="purchase-lines" aria-label={label}>
      <thead>
        <tr>
          <th>品名</th>
          <th>规格</th>
          <th>单位</th>
          <th className="right">数量</th>
          {progress.map(({ title }) => (
            <th key={title} className="right">
              {title}
            </th>
          ))}
          <th className="right">{priceLabel}</th>
          <th className="right">金额</th>
          {note && <th>{note.title}</th>}
        </tr>
      </thead>
      <tbody>
        {lines.map(line => (
          <tr key={line.lineNo}>
            <td>{line.itemName}</td>
            <td>{line.spec}</td>
            <td>{line.unit}</td>
            <td className="right">{line.quantity}</td>
            {progress.map(({ title, value }) => (
              <td key={title} className="right">
                {value(line)}
              </td>
            ))}
            <td className="right">{line.price}</td>
            <td className="right">
              <Money fen={line.amount} />
            </td>
            {note && <td>{note.value(line)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

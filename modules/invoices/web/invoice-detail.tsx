import { listOfRows } from '#kit/contract/shape.ts'
import { defined } from '#kit/domain/defined.ts'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { rowHeights } from '#kit/web/table/column-layout.ts'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import { recordPath } from '#modules/payments/web/public.actions.ts'
import { invoiceState } from '../contract/choices.ts'
import { invoicePartRow, type getInvoice } from '../contract/record.ts'
import { formatRate } from '../domain/tax.ts'
import { invoicePath } from './paths.ts'
import { invoiceLabel } from './labels.ts'
import './invoices.css'

export type InvoiceWithParts = NonNullable<typeof getInvoice.output.T>

type InvoicePart = InvoiceWithParts['parts'][number]

const periodText = ({ beginDate, endDate }: Pick<InvoicePart, 'beginDate' | 'endDate'>): string =>
  beginDate && endDate ? formatPeriod(beginDate, endDate) : '--'

const partColumns = buildColumns(listOfRows(invoicePartRow), [
  { key: 'feeItemName', width: 112 },
  { key: 'sourceName', width: 112 },
  {
    key: 'beginDate',
    title: '账期',
    width: 140,
    render: periodText,
    text: periodText,
  },
  {
    key: 'recordNo',
    width: 150,
    render: part => (
      <button type="button" className="linkish" onClick={() => navigateTo(recordPath(part.recordId))}>
        {part.receiptNo ?? part.recordNo}
      </button>
    ),
  },
  'amount',
  'redAmount',
]).map(withoutSorting)

/** The lines of an invoice, the payments it is for, and the invoices before and after it. */
export function InvoiceDetail({ invoice }: { readonly invoice: InvoiceWithParts }) {
  return (
    <div className="invoice-more">
      <section>
        <h3>票面明细（{invoice.lines.length}）</h3>
        <div className="invoice-parts">
          <table>
            <thead>
              <tr>
                <th>商品</th>
                <th>账期</th>
                <th>税率</th>
                <th className="right">不含税</th>
                <th className="right">税额</th>
                <th className="right">价税合计</th>
              </tr>
            </thead>
            <tbody>
              {invoice.lines.map(line => (
                <tr key={`${line.goodId}/${line.taxRate}`}>
                  <td>{`*${line.shortName ?? ''}*${line.goodName}`}</td>
                  <td className="figure">{line.periods ?? '--'}</td>
                  <td>{line.isNoTax ? '不征税' : formatRate(line.taxRate)}</td>
                  <td className="right figure">{displayYuan(line.net)}</td>
                  <td className="right figure">{displayYuan(line.tax)}</td>
                  <td className="right figure">{displayYuan(line.amount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <section>
        <h3>对应收款（{invoice.parts.length}）</h3>
        <div style={{ height: Math.min(invoice.parts.length, 12) * rowHeights.dense + rowHeights.head + 2 }}>
          <DataTable
            rows={invoice.parts}
            columns={partColumns}
            keyOf={part => part.id}
            label="对应收款"
            dense
          />
        </div>
      </section>
      {(invoice.original !== undefined || invoice.followers.length > 0) && (
        <section>
          <h3>前后发票</h3>
          {invoice.original !== undefined && (
            <p>
              <button
                type="button"
                className="linkish"
                onClick={() => navigateTo(invoicePath(defined(invoice.originalId)))}
              >
                {invoice.original}
              </button>
              <small>{invoice.isRed ? '被该红字发票红冲' : '被该发票替换'}</small>
            </p>
          )}
          {invoice.followers.map(follower => (
            <p key={follower.id}>
              <button type="button" className="linkish" onClick={() => navigateTo(invoicePath(follower.id))}>
                {invoiceLabel(follower)}
              </button>
              <ChoiceStatus choices={invoiceState} value={follower.state} />
              <span className="figure">{displayYuan(follower.totalAmount)}</span>
              <small>{follower.isRed ? '红字发票' : '重开的发票'}</small>
            </p>
          ))}
        </section>
      )}
    </div>
  )
}

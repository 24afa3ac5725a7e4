import { defined } from '#kit/domain/defined.ts'
import { buildColumns } from '#kit/web/columns.tsx'
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

export type WholeInvoice = NonNullable<typeof getInvoice.output.T>

const partColumns = buildColumns(
  { fields: invoicePartRow } as never,
  [
    { key: 'feeItemName', width: 112, sortKey: undefined },
    { key: 'sourceName', width: 112, sortKey: undefined },
    {
      key: 'beginDate',
      title: '账期',
      width: 140,
      sortKey: undefined,
      render: (p: WholeInvoice['parts'][number]) =>
        p.beginDate && p.endDate ? formatPeriod(p.beginDate, p.endDate) : '--',
      text: () => '',
    },
    {
      key: 'recordNo',
      width: 150,
      sortKey: undefined,
      render: (p: WholeInvoice['parts'][number]) => (
        <button type="button" className="linkish" onClick={() => navigateTo(recordPath(p.recordId))}>
          {p.receiptNo ?? p.recordNo}
        </button>
      ),
    },
    { key: 'amount', sortKey: undefined },
    { key: 'redAmount', sortKey: undefined },
  ] as never,
)

/** What stands on the invoice, which money it is for, and what came after it. */
export function InvoiceDetail({ of: r }: { readonly of: WholeInvoice }) {
  return (
    <div className="invoice-more">
      <section>
        <h3>票面明细（{r.lines.length}）</h3>
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
              {r.lines.map(l => (
                <tr key={`${l.goodId}/${l.taxRate}`}>
                  <td>{`*${l.shortName ?? ''}*${l.goodName}`}</td>
                  <td className="figure">{l.periods ?? '--'}</td>
                  <td>{l.isNoTax ? '不征税' : formatRate(l.taxRate)}</td>
                  <td className="right figure">{displayYuan(l.net)}</td>
                  <td className="right figure">{displayYuan(l.tax)}</td>
                  <td className="right figure">{displayYuan(l.amount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <section>
        <h3>对应收款（{r.parts.length}）</h3>
        <div style={{ height: Math.min(r.parts.length, 12) * rowHeights.dense + rowHeights.head + 2 }}>
          <DataTable
            rows={r.parts}
            columns={partColumns}
            keyOf={(p: WholeInvoice['parts'][number]) => p.id}
            label="对应收款"
            dense
          />
        </div>
      </section>
      {(r.original !== undefined || r.followers.length > 0) && (
        <section>
          <h3>前后发票</h3>
          {r.original !== undefined && (
            <p>
              <button
                type="button"
                className="linkish"
                onClick={() => navigateTo(invoicePath(defined(r.originalId)))}
              >
                {r.original}
              </button>
              <small>{r.isRed ? '被这张红字发票红冲' : '被这张发票替换'}</small>
            </p>
          )}
          {r.followers.map(f => (
            <p key={f.id}>
              <button type="button" className="linkish" onClick={() => navigateTo(invoicePath(f.id))}>
                {invoiceLabel(f)}
              </button>
              <ChoiceStatus choices={invoiceState} value={f.state} />
              <span className="figure">{displayYuan(f.totalAmount)}</span>
              <small>{f.isRed ? '红字发票' : '重开的发票'}</small>
            </p>
          ))}
        </section>
      )}
    </div>
  )
}

import { columns } from '#kit/web/columns.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { go } from '#kit/web/go.ts'
import { Choice } from '#kit/web/status.tsx'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { bands } from '#kit/web/table/layout.ts'
import { periodWords } from '#modules/bills/web/public.tsx'
import { seeRecord } from '#modules/payments/web/public.acts.ts'
import { invoiceState } from '../contract/choices.ts'
import { partRow, type oneInvoice } from '../contract/record.ts'
import { rateWords } from '../domain/tax.ts'
import { seeInvoice } from './places.ts'
import { callIt } from './words.ts'
import './invoices.css'

export type Whole = NonNullable<typeof oneInvoice.output.T>

const partColumns = columns(
  { fields: partRow } as never,
  [
    { key: 'feeItemName', width: 112, sort: undefined },
    { key: 'sourceName', width: 112, sort: undefined },
    {
      key: 'beginDate',
      title: '账期',
      width: 140,
      sort: undefined,
      render: (p: Whole['parts'][number]) =>
        p.beginDate && p.endDate ? periodWords(p.beginDate, p.endDate) : '--',
      text: () => '',
    },
    {
      key: 'recordNo',
      width: 150,
      sort: undefined,
      render: (p: Whole['parts'][number]) => (
        <button type="button" className="linkish" onClick={() => go(seeRecord(p.recordId))}>
          {p.receiptNo ?? p.recordNo}
        </button>
      ),
    },
    { key: 'amount', sort: undefined },
    { key: 'redAmount', sort: undefined },
  ] as never,
)

/** What stands on the invoice, which money it is for, and what came after it. */
export function InvoiceMore({ of: r }: { readonly of: Whole }) {
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
                  <td>{l.isNoTax ? '不征税' : rateWords(l.taxRate)}</td>
                  <td className="right figure">{yuan(l.net)}</td>
                  <td className="right figure">{yuan(l.tax)}</td>
                  <td className="right figure">{yuan(l.amount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <section>
        <h3>对应收款（{r.parts.length}）</h3>
        <div style={{ height: Math.min(r.parts.length, 12) * bands.dense + bands.head + 2 }}>
          <DataTable
            rows={r.parts}
            columns={partColumns as never}
            keyOf={(p: Whole['parts'][number]) => p.id}
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
              <button type="button" className="linkish" onClick={() => go(seeInvoice(r.originalId!))}>
                {r.original}
              </button>
              <small>{r.isRed ? '被这张红字发票红冲' : '被这张发票替换'}</small>
            </p>
          )}
          {r.followers.map(f => (
            <p key={f.id}>
              <button type="button" className="linkish" onClick={() => go(seeInvoice(f.id))}>
                {callIt(f)}
              </button>
              <Choice of={invoiceState} value={f.state} />
              <span className="figure">{yuan(f.totalAmount)}</span>
              <small>{f.isRed ? '红字发票' : '重开的发票'}</small>
            </p>
          ))}
        </section>
      )}
    </div>
  )
}

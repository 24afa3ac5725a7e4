import { Checkbox, Modal, Skeleton } from 'antd'
import { useMemo } from 'react'
import { flag } from '#kit/contract/field.ts'
import { also } from '#kit/contract/shape.ts'
import { sumFen } from '#kit/domain/money.ts'
import { tellDone } from '#kit/web/acts.ts'
import type { Control } from '#kit/web/controls/kinds.tsx'
import { Numeric } from '#kit/web/controls/numeric.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { periodWords } from '#modules/bills/web/public.tsx'
import { addInvoice, openInvoice, openable } from '../contract/open.ts'
import type { InvoiceRecord } from '../contract/record.ts'
import { limitRefusal } from '../domain/invoice.ts'
import { kindControl, titleAsks, titleRules } from './title-asks.tsx'
import './invoices.css'

type Openable = NonNullable<typeof openable.output.T>
type Part = Openable['parts'][number]

interface Wish {
  readonly recordId: number
  readonly detailId?: number | undefined
  readonly amount: number
}

const shape = also(openInvoice.input, {
  later: flag('先不开具', { help: '存为待开具，金额先占用，以后在发票管理里开具' }),
})

const key = (p: { readonly recordId: number; readonly detailId?: number | undefined }): string =>
  `${p.recordId}/${p.detailId ?? ''}`

const sum = (w: readonly Wish[] | undefined): number =>
  sumFen((w ?? []).map(x => (typeof x.amount === 'number' ? x.amount : 0)))

const amountField = openInvoice.input.fields.parts!.of as Record<string, never>

/** One row per payment line: ticked ones go on the invoice, at most what is still open of each (INV-1). */
const partsControl = (parts: readonly Part[]): Control =>
  function InvoiceParts({ value, onChange, onBlur, inner, disabled, id }) {
    const wishes = (value as readonly Wish[] | undefined) ?? []
    const order = new Map(parts.map((p, i) => [key(p), i]))
    const at = (p: Part): number => wishes.findIndex(w => key(w) === key(p))
    const put = (list: readonly Wish[]): void =>
      onChange(list.toSorted((a, b) => order.get(key(a))! - order.get(key(b))!))
    return (
      <div className="invoice-parts scroll">
        <table id={id}>
          <thead>
            <tr>
              <th />
              <th>收费项目</th>
              <th>账期</th>
              <th>收据</th>
              <th className="right">已缴</th>
              <th className="right">可开</th>
              <th>开票金额</th>
            </tr>
          </thead>
          <tbody>
            {parts.map(p => {
              const n = at(p)
              const w = wishes[n]
              const fault = inner[`[${n}].amount`]
              return (
                <tr key={key(p)} data-off={p.refusal ? true : undefined}>
                  <td>
                    <Checkbox
                      checked={n >= 0}
                      disabled={disabled || p.refusal !== undefined}
                      aria-label={`开 ${p.sourceName} ${p.feeItemName} ${p.beginDate ?? ''}`}
                      onChange={e =>
                        put(
                          e.target.checked
                            ? [
                                ...wishes,
                                {
                                  recordId: p.recordId,
                                  ...(p.detailId === undefined ? {} : { detailId: p.detailId }),
                                  amount: p.open,
                                },
                              ]
                            : wishes.filter(x => key(x) !== key(p)),
                        )
                      }
                    />
                  </td>
                  <td>
                    <span>{p.feeItemName}</span>
                    <small>{p.sourceName}</small>
                  </td>
                  <td className="figure">
                    {p.beginDate && p.endDate ? periodWords(p.beginDate, p.endDate) : '--'}
                  </td>
                  <td className="figure">{p.receiptNo ?? p.recordNo}</td>
                  <td className="right figure">
                    {yuan(p.paid)}
                    {p.refunded > 0 && <small>已退 {yuan(p.refunded)}</small>}
                  </td>
                  <td className="right figure">
                    {yuan(p.open)}
                    {p.invoiced > 0 && <small>已开 {yuan(p.invoiced)}</small>}
                  </td>
                  <td>
                    {w ? (
                      <Numeric
                        field={amountField.amount as never}
                        label={`${p.feeItemName} 开票金额`}
                        value={w.amount}
                        status={fault ? 'error' : undefined}
                        onChange={v =>
                          put(wishes.map(x => (key(x) === key(p) ? { ...x, amount: v as number } : x)))
                        }
                        onBlur={onBlur}
                      />
                    ) : (
                      <small>{p.refusal ?? ''}</small>
                    )}
                    {fault && <small className="fault">{fault}</small>}
                  </td>
                </tr>
              )
            })}
          </tbody>
          <tfoot>
            <tr>
              <td />
              <td colSpan={5}>
                已选 {wishes.length} / {parts.length} 笔
              </td>
              <td>
                <b className="figure">{yuan(sum(wishes), true)}</b>
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
    )
  }

const mostRules =
  (parts: readonly Part[], limit: number | undefined) =>
  (v: object): Record<string, string> | undefined => {
    const x = v as { parts?: readonly Wish[]; channel?: string }
    const by = new Map(parts.map(p => [key(p), p]))
    const out: Record<string, string> = { ...titleRules(v) }
    if (!x.parts?.length) {
      out.parts = '请勾选要开票的明细'
    }
    x.parts?.forEach((w, i) => {
      const p = by.get(key(w))!
      if (typeof w.amount === 'number' && w.amount > p.open) {
        out[`parts[${i}].amount`] = `最多 ${yuan(p.open)} 元`
      }
    })
    const over = limitRefusal(sum(x.parts), limit)
    if (over) {
      out.parts = over
    }
    return Object.keys(out).length ? out : undefined
  }

interface Props {
  readonly records: readonly string[]
  readonly original?: number | undefined
  readonly onClose: () => void
  readonly onDone: (r: InvoiceRecord) => void
}

function Ask({ of: o, original, onClose, onDone }: Omit<Props, 'records'> & { readonly of: Openable }) {
  const go = useSend(openInvoice, { quiet: true })
  const keep = useSend(addInvoice, { quiet: true })
  const hand = o.channel === 'manual'
  const kinds = o.kinds ?? []
  const byHand = useMemo(
    () =>
      (v: { readonly later?: boolean }): boolean =>
        !hand || v.later === true,
    [hand],
  )
  const groups = useMemo(
    () => [
      {
        title: '开票明细',
        keys: [{ key: 'parts', label: `${o.payerName}的收款`, control: partsControl(o.parts), wide: true }],
      },
      {
        title: '票种与抬头',
        keys: [
          { key: 'kind', control: kindControl(kinds), wide: false },
          ...titleAsks(o.titles),
          { key: 'remark', wide: true },
        ],
      },
      {
        title: '开具',
        keys: [
          { key: 'later', wide: true },
          { key: 'invoiceNo', hidden: byHand, help: '手工登记：填写已开好的发票号' },
          { key: 'invoiceCode', hidden: byHand },
          { key: 'issueTime', hidden: byHand, help: '不填为现在' },
        ],
      },
    ],
    [byHand, kinds, o],
  )
  const initial = useMemo(
    () => ({
      parts: o.parts
        .filter(p => !p.refusal)
        .map(p => ({
          recordId: p.recordId,
          ...(p.detailId === undefined ? {} : { detailId: p.detailId }),
          amount: p.open,
        })),
      kind: kinds[0],
      later: false,
      ...o.titles[0],
      ...(original === undefined ? {} : { originalId: original }),
    }),
    [kinds, o, original],
  )
  return (
    <EditDialog
      of={shape}
      title={`${original === undefined ? '开票' : '重新开票'}：${o.payerName}`}
      groups={groups as never}
      initial={initial as never}
      words="开票"
      as="drawer"
      rules={mostRules(o.parts, o.limitAmount) as never}
      save={v => {
        const { later, invoiceNo, invoiceCode, issueTime, ...said } = {
          ...v,
          ...(original === undefined ? {} : { originalId: original }),
        }
        return later
          ? keep.mutateAsync(said as never)
          : go.mutateAsync({ ...said, ...(hand ? { invoiceNo, invoiceCode, issueTime } : {}) } as never)
      }}
      onClose={onClose}
      onDone={a => {
        const r = a as InvoiceRecord
        tellDone(
          r,
          r.state === 'issued'
            ? `发票 ${r.invoiceNo} 已登记`
            : r.state === 'doing'
              ? `已提交开票平台，流水号 ${r.serialNo}`
              : `已存为待开具，流水号 ${r.serialNo}`,
        )
        onDone(r)
      }}
      below={v => (
        <p className="invoice-sum">
          价税合计 <b className="figure">{yuan(sum((v as { parts?: readonly Wish[] }).parts), true)}</b>，销方{' '}
          {o.companyName}
          {o.simulated ? '（本机模拟，不产生真发票）' : ''}
          {hand ? '，手工登记' : ''}
        </p>
      )}
    />
  )
}

/** 开票 (INV-1, INV-4): which money, for whom, as what kind. */
export function OpenDialog({ records, ...rest }: Props) {
  const asked = useCall(openable, { recordIds: [...records] }, { quiet: true, fresh: 0 })
  const o = asked.data
  const why = asked.isError
    ? asked.error.message
    : (o?.refusal ?? (o && !o.parts.length ? '这些收款没有可开票的明细' : undefined))
  if (!o || asked.isFetching || why)
    return (
      <Modal open title="开票" footer={null} onCancel={rest.onClose}>
        {why && !asked.isFetching ? <p role="alert">{why}</p> : <Skeleton active />}
      </Modal>
    )
  return <Ask of={o} {...rest} />
}

import { defined } from '#kit/domain/defined.ts'
import { Checkbox, Modal, Skeleton } from 'antd'
import { useMemo } from 'react'
import { flag } from '#kit/contract/field.ts'
import { extendShape } from '#kit/contract/shape.ts'
import { sumFen } from '#kit/domain/money.ts'
import { toastResult } from '#kit/web/record-actions.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import { addInvoice, addAndIssueInvoice, getInvoiceable } from '../contract/invoicing.ts'
import type { InvoiceRecord } from '../contract/record.ts'
import { limitRefusal } from '../domain/invoice.ts'
import { kindControl, titleFormFields, findTitleFaults } from './title-form.tsx'
import './invoices.css'

type InvoiceableData = NonNullable<typeof getInvoiceable.output.T>
type InvoiceablePart = InvoiceableData['parts'][number]

interface PartAmount {
  readonly recordId: number
  readonly detailId?: number | undefined
  readonly amount: number
}

const dialogShape = extendShape(addAndIssueInvoice.input, {
  later: flag('先不开具', { help: '存为待开具，金额先占用，以后在发票管理里开具' }),
})

const partKeyOf = (p: { readonly recordId: number; readonly detailId?: number | undefined }): string =>
  `${p.recordId}/${p.detailId ?? ''}`

const sumAmounts = (w: readonly PartAmount[] | undefined): number =>
  sumFen((w ?? []).map(x => (typeof x.amount === 'number' ? x.amount : 0)))

const amountField = defined(addAndIssueInvoice.input.fields.parts).fields as Record<string, never>

/** One row per payment line: ticked ones go on the invoice, at most what is still open of each (INV-1). */
const partsControl = (parts: readonly InvoiceablePart[]): Control =>
  function InvoiceParts({ value, onChange, onBlur, nestedFaults, disabled, id }) {
    const wishes = (value as readonly PartAmount[] | undefined) ?? []
    const order = new Map(parts.map((p, i) => [partKeyOf(p), i]))
    const at = (p: InvoiceablePart): number => wishes.findIndex(w => partKeyOf(w) === partKeyOf(p))
    const put = (list: readonly PartAmount[]): void =>
      onChange(list.toSorted((a, b) => defined(order.get(partKeyOf(a))) - defined(order.get(partKeyOf(b)))))
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
              const fault = nestedFaults[`[${n}].amount`]
              return (
                <tr key={partKeyOf(p)} data-off={p.refusal ? true : undefined}>
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
                            : wishes.filter(x => partKeyOf(x) !== partKeyOf(p)),
                        )
                      }
                    />
                  </td>
                  <td>
                    <span>{p.feeItemName}</span>
                    <small>{p.sourceName}</small>
                  </td>
                  <td className="figure">
                    {p.beginDate && p.endDate ? formatPeriod(p.beginDate, p.endDate) : '--'}
                  </td>
                  <td className="figure">{p.receiptNo ?? p.recordNo}</td>
                  <td className="right figure">
                    {displayYuan(p.paid)}
                    {p.refunded > 0 && <small>已退 {displayYuan(p.refunded)}</small>}
                  </td>
                  <td className="right figure">
                    {displayYuan(p.open)}
                    {p.invoiced > 0 && <small>已开 {displayYuan(p.invoiced)}</small>}
                  </td>
                  <td>
                    {w ? (
                      <NumberInput
                        field={amountField.amount as never}
                        label={`${p.feeItemName} 开票金额`}
                        value={w.amount}
                        status={fault ? 'error' : undefined}
                        onChange={v =>
                          put(
                            wishes.map(x =>
                              partKeyOf(x) === partKeyOf(p) ? { ...x, amount: v as number } : x,
                            ),
                          )
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
                <b className="figure">{displayYuan(sumAmounts(wishes), true)}</b>
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
    )
  }

const createAmountRules =
  (parts: readonly InvoiceablePart[], limit: number | undefined) =>
  (v: object): Record<string, string> | undefined => {
    const x = v as { parts?: readonly PartAmount[]; channel?: string }
    const by = new Map(parts.map(p => [partKeyOf(p), p]))
    const out: Record<string, string> = { ...findTitleFaults(v) }
    if (!x.parts?.length) {
      out.parts = '请勾选要开票的明细'
    }
    x.parts?.forEach((w, i) => {
      const p = defined(by.get(partKeyOf(w)))
      if (typeof w.amount === 'number' && w.amount > p.open) {
        out[`parts[${i}].amount`] = `最多 ${displayYuan(p.open)} 元`
      }
    })
    const over = limitRefusal(sumAmounts(x.parts), limit)
    if (over) {
      out.parts = over
    }
    return Object.keys(out).length ? out : undefined
  }

interface InvoicingDialogProps {
  readonly records: readonly string[]
  readonly original?: number | undefined
  readonly onClose: () => void
  readonly onDone: (r: InvoiceRecord) => void
}

function InvoicingForm({
  of: o,
  original,
  onClose,
  onDone,
}: Omit<InvoicingDialogProps, 'records'> & { readonly of: InvoiceableData }) {
  const go = useSend(addAndIssueInvoice, { quiet: true })
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
          ...titleFormFields(o.titles),
          { key: 'remark', wide: true },
        ],
      },
      {
        title: '开具',
        keys: [
          { key: 'later', wide: true },
          { key: 'invoiceNo', isHidden: byHand, help: '手工登记：填写已开好的发票号' },
          { key: 'invoiceCode', isHidden: byHand },
          { key: 'issueTime', isHidden: byHand, help: '不填为现在' },
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
      shape={dialogShape}
      title={`${original === undefined ? '开票' : '重新开票'}：${o.payerName}`}
      groups={groups}
      initial={initial}
      submitLabel="开票"
      presentation="drawer"
      rules={createAmountRules(o.parts, o.limitAmount)}
      save={v => {
        const { later, invoiceNo, invoiceCode, issueTime, ...said } = {
          ...v,
          ...(original === undefined ? {} : { originalId: original }),
        }
        return later
          ? keep.mutateAsync(said)
          : go.mutateAsync({ ...said, ...(hand ? { invoiceNo, invoiceCode, issueTime } : {}) })
      }}
      onClose={onClose}
      onDone={a => {
        const r = a as InvoiceRecord
        toastResult(
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
          价税合计{' '}
          <b className="figure">
            {displayYuan(sumAmounts((v as { parts?: readonly PartAmount[] }).parts), true)}
          </b>
          ，销方 {o.companyName}
          {o.simulated ? '（本机模拟，不产生真发票）' : ''}
          {hand ? '，手工登记' : ''}
        </p>
      )}
    />
  )
}

/** 开票 (INV-1, INV-4): which money, for whom, as what kind. */
export function InvoicingDialog({ records, ...rest }: InvoicingDialogProps) {
  const asked = useCall(getInvoiceable, { recordIds: [...records] }, { quiet: true, staleMs: 0 })
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
  return <InvoicingForm of={o} {...rest} />
}

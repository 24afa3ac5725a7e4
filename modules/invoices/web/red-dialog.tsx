import { defined } from '#kit/domain/defined.ts'
import { AutoComplete, Checkbox, Modal, Skeleton } from 'antd'
import { useMemo } from 'react'
import { sumFen } from '#kit/domain/money.ts'
import { toastResult } from '#kit/web/record-actions.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import { redInvoice, redPart } from '../contract/invoicing.ts'
import { getInvoice, type InvoiceRecord } from '../contract/record.ts'
import { resolveRedAmounts } from '../domain/invoice.ts'
import { findNumberFaults } from './action-dialogs.tsx'
import type { WholeInvoice } from './invoice-detail.tsx'
import { invoiceLabel } from './labels.ts'
import './invoices.css'

interface PartAmount {
  readonly partId: number
  readonly amount: number
}

const sumAmounts = (w: readonly PartAmount[] | undefined): number =>
  sumFen((w ?? []).map(x => (typeof x.amount === 'number' ? x.amount : 0)))

const remainingOf = (p: WholeInvoice['parts'][number]): number => p.amount - p.redAmount

/** One row per part of the invoice: ticked ones go back, at most what still stands of each (INV-5). */
const createPartsControl = (parts: WholeInvoice['parts']): Control =>
  function RedParts({ value, onChange, onBlur, nestedFaults, disabled, id }) {
    const wishes = (value as readonly PartAmount[] | undefined) ?? []
    const order = new Map(parts.map((p, i) => [p.id, i]))
    const put = (list: readonly PartAmount[]): void =>
      onChange(list.toSorted((a, b) => defined(order.get(a.partId)) - defined(order.get(b.partId))))
    return (
      <div className="invoice-parts scroll">
        <table id={id}>
          <thead>
            <tr>
              <th />
              <th>收费项目</th>
              <th>账期</th>
              <th>收据</th>
              <th className="right">已开票</th>
              <th className="right">可红冲</th>
              <th>红冲金额</th>
            </tr>
          </thead>
          <tbody>
            {parts.map(p => {
              const n = wishes.findIndex(w => w.partId === p.id)
              const w = wishes[n]
              const fault = nestedFaults[`[${n}].amount`]
              const most = remainingOf(p)
              return (
                <tr key={p.id} data-off={most <= 0 || undefined}>
                  <td>
                    <Checkbox
                      checked={n >= 0}
                      disabled={disabled || most <= 0}
                      aria-label={`红冲 ${p.sourceName} ${p.feeItemName} ${p.beginDate ?? ''}`}
                      onChange={e =>
                        put(
                          e.target.checked
                            ? [...wishes, { partId: p.id, amount: most }]
                            : wishes.filter(x => x.partId !== p.id),
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
                    {displayYuan(p.amount)}
                    {p.redAmount > 0 && <small>已红冲 {displayYuan(p.redAmount)}</small>}
                  </td>
                  <td className="right figure">
                    {displayYuan(most)}
                    {p.dueAmount > 0 && <small>已退 {displayYuan(p.dueAmount)}</small>}
                  </td>
                  <td>
                    {w && (
                      <NumberInput
                        field={redPart.amount}
                        label={`${p.feeItemName} 红冲金额`}
                        value={w.amount}
                        status={fault ? 'error' : undefined}
                        onChange={v =>
                          put(wishes.map(x => (x.partId === p.id ? { ...x, amount: v as number } : x)))
                        }
                        onBlur={onBlur}
                      />
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

const reasonOptions = ['抬头有误', '金额有误', '收款已退', '重复开票'].map(value => ({ value }))

const ReasonControl: Control = ({ value, onChange, onBlur, id, disabled, invalid, describedBy }) => (
  <AutoComplete
    id={id}
    style={{ width: '100%' }}
    value={(value as string | undefined) ?? ''}
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

interface RedDialogProps {
  readonly of: Pick<InvoiceRecord, 'id'>
  readonly onClose: () => void
}

function RedForm({ of: r, onClose }: { readonly of: WholeInvoice; readonly onClose: () => void }) {
  const go = useSend(redInvoice, { quiet: true })
  const hand = r.channel === 'manual'
  const left = r.totalAmount - r.redAmount
  const groups = useMemo(
    () => [
      {
        keys: [
          {
            key: 'parts',
            label: `红冲明细（可红冲合计 ${displayYuan(left, true)}）`,
            help: '可只红冲其中几行，或每行的一部分',
            control: createPartsControl(r.parts),
            wide: true,
          },
          { key: 'reason', control: ReasonControl, wide: true },
        ],
      },
      ...(hand
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
    ],
    [hand, left, r.parts],
  )
  // What went back to the payer is what has to be taken back; otherwise all that stands.
  const initial = useMemo(() => {
    const due = r.parts.filter(p => p.dueAmount > 0)
    return {
      id: r.id,
      ...(due.length ? { reason: '收款已退' } : {}),
      parts: (due.length ? due : r.parts.filter(p => remainingOf(p) > 0)).map(p => ({
        partId: p.id,
        amount: p.dueAmount || remainingOf(p),
      })),
    }
  }, [r])
  const rules = (v: object): Record<string, string> | undefined => {
    const { parts } = v as { parts?: readonly PartAmount[] }
    const out: Record<string, string> = { ...(hand ? findNumberFaults(v) : {}) }
    if (!parts?.length) {
      out.parts = '请勾选要红冲的明细'
    }
    for (const f of resolveRedAmounts(r.parts, parts ?? []).faults) {
      out[`parts[${f.index}].amount`] = f.message
    }
    return Object.keys(out).length ? out : undefined
  }
  return (
    <EditDialog
      shape={redInvoice.input}
      title={`红冲发票 ${invoiceLabel(r)}`}
      groups={groups}
      initial={initial}
      submitLabel="红冲"
      presentation="drawer"
      rules={rules}
      save={v => go.mutateAsync({ ...v, id: r.id })}
      onClose={onClose}
      onDone={a => {
        toastResult(a, hand ? '已红冲，收款恢复为可开票' : '已提交红冲，结果出来后会更新状态')
        onClose()
      }}
      below={v => {
        const now = sumAmounts((v as { parts?: readonly PartAmount[] }).parts)
        return (
          <p className="invoice-sum">
            {r.buyerName}，本次红冲 <b className="figure">{displayYuan(now, true)}</b>，
            {now >= left ? '红冲后整张为已红冲' : `余下 ${displayYuan(left - now, true)} 仍然有效`}
            ；完成后红冲的部分恢复为可开票
          </p>
        )
      }}
    />
  )
}

/** 红冲 (INV-5): which lines, how much of each, prefilled with what still stands. */
export function RedDialog({ of, onClose }: RedDialogProps) {
  const asked = useCall(getInvoice, { id: of.id }, { quiet: true, staleMs: 0 })
  const r = asked.data
  if (!r || asked.isFetching)
    return (
      <Modal open title="红冲发票" footer={null} onCancel={onClose}>
        {asked.isError ? <p role="alert">{asked.error.message}</p> : <Skeleton active />}
      </Modal>
    )
  return <RedForm of={r} onClose={onClose} />
}

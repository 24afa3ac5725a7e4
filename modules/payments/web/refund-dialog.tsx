import { defined } from '#kit/domain/defined.ts'
import { Checkbox, Modal, Skeleton } from 'antd'
import { useMemo } from 'react'
import { sumFen } from '#kit/domain/money.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { getRecord, type PayRecord } from '../contract/record.ts'
import { requestRefund, listRefunds, refundLine, type FeeRefund } from '../contract/refund.ts'
import {
  findRefundLineFaults,
  maxRefundOf,
  refundableAmount,
  refundablePartsOf,
  sumPendingLines,
  type RefundablePart,
  type RefundLine,
} from '../domain/refund.ts'
import { formatPeriod } from '#modules/bills/web/public.tsx'
import './payments.css'

type RecordWithDetails = NonNullable<typeof getRecord.output.T>

const sumLines = (w: readonly RefundLine[]): number =>
  sumFen(
    w.map(
      l => (typeof l.principal === 'number' ? l.principal : 0) + (typeof l.late === 'number' ? l.late : 0),
    ),
  )

/** One row per bill of the payment: ticked ones go back, at most what remains of each. */
const createLinesControl = (r: RecordWithDetails, parts: readonly RefundablePart[]): Control =>
  function RefundLines({ value, onChange, onBlur, nestedFaults, disabled, id }) {
    const wishes = (value as readonly RefundLine[] | undefined) ?? []
    const at = (d: number): number => wishes.findIndex(w => w.detailId === d)
    const order = new Map(parts.map((p, i) => [p.id, i]))
    const put = (list: readonly RefundLine[]): void =>
      onChange(list.toSorted((a, b) => defined(order.get(a.detailId)) - defined(order.get(b.detailId))))
    const set = (d: number, patch: object): void =>
      put(wishes.map(w => (w.detailId === d ? { ...w, ...patch } : w)))
    return (
      <table className="refund-lines" id={id}>
        <thead>
          <tr>
            <th />
            <th>收费项目</th>
            <th>账期</th>
            <th className="right">已收</th>
            <th className="right">可退</th>
            <th>退本金</th>
            <th>退违约金</th>
          </tr>
        </thead>
        <tbody>
          {r.details.map(d => {
            const p = defined(parts[defined(order.get(d.id))])
            const most = maxRefundOf(p)
            const n = at(d.id)
            const w = wishes[n]
            const none = most.principal + most.late <= 0
            const fault = nestedFaults[`[${n}].principal`] ?? nestedFaults[`[${n}].late`]
            return (
              <tr key={d.id} data-off={none || undefined}>
                <td>
                  <Checkbox
                    checked={n >= 0}
                    disabled={disabled || none}
                    aria-label={`退 ${d.feeItemName} ${d.billNo}`}
                    onChange={e =>
                      put(
                        e.target.checked
                          ? [...wishes, { detailId: d.id, ...most }]
                          : wishes.filter(x => x.detailId !== d.id),
                      )
                    }
                  />
                </td>
                <td>
                  <span>{d.feeItemName}</span>
                  <small>{d.sourceName}</small>
                </td>
                <td className="figure">{formatPeriod(d.beginDate, d.endDate)}</td>
                <td className="right figure">{displayYuan(d.principal + d.lateFee)}</td>
                <td className="right figure">{displayYuan(most.principal + most.late)}</td>
                <td>
                  {w && (
                    <NumberInput
                      field={refundLine.principal}
                      label={`${d.billNo} 退本金`}
                      value={w.principal}
                      status={fault ? 'error' : undefined}
                      onChange={v => set(d.id, { principal: v })}
                      onBlur={onBlur}
                    />
                  )}
                </td>
                <td>
                  {w &&
                    (most.late > 0 ? (
                      <NumberInput
                        field={refundLine.late}
                        label={`${d.billNo} 退违约金`}
                        value={w.late}
                        status={fault ? 'error' : undefined}
                        onChange={v => set(d.id, { late: v })}
                        onBlur={onBlur}
                      />
                    ) : (
                      <span className="absent">--</span>
                    ))}
                  {fault && <small className="fault">{fault}</small>}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    )
  }

function RefundForm({
  of: r,
  others,
  onClose,
}: {
  readonly of: RecordWithDetails
  readonly others: readonly FeeRefund[]
  readonly onClose: () => void
}) {
  const go = useSend(requestRefund, { quiet: true })
  const parts = useMemo(() => refundablePartsOf(r.details, sumPendingLines(others)), [others, r])
  const groups = useMemo(
    () => [
      {
        keys: [
          {
            key: 'lines',
            label: `退款明细（可退合计 ${displayYuan(refundableAmount(r), true)}）`,
            control: createLinesControl(r, parts),
            wide: true,
          },
          'refundWay',
          'billAfter',
          { key: 'reason', wide: true },
        ],
      },
    ],
    [parts, r],
  )
  const initial = useMemo(
    () => ({
      recordId: r.id,
      lines: parts
        .filter(p => {
          const m = maxRefundOf(p)
          return m.principal + m.late > 0
        })
        .map(p => ({ detailId: p.id, ...maxRefundOf(p) })),
      refundWay: 'original' as const,
      billAfter: 'owed' as const,
    }),
    [parts, r.id],
  )
  return (
    <EditDialog
      shape={requestRefund.input}
      title={`退款：${r.sourceName} ${r.receiptNo ?? r.recordNo}`}
      groups={groups}
      initial={initial}
      submitLabel="申请退款"
      presentation="drawer"
      rules={v => {
        const wishes = (v as { lines?: readonly RefundLine[] }).lines ?? []
        return wishes.length
          ? Object.fromEntries(
              findRefundLineFaults(
                parts,
                wishes.map(w => ({ ...w, principal: w.principal ?? 0, late: w.late ?? 0 })),
              ).map(f => [`lines[${f.at}].principal`, f.message]),
            )
          : { lines: '请勾选要退的账单' }
      }}
      save={v =>
        go.mutateAsync({
          ...v,
          recordId: r.id,
          lines: v.lines.map(l => ({ ...l, principal: l.principal ?? 0, late: l.late ?? 0 })),
        })
      }
      onClose={onClose}
      onDone={a => {
        const f = a as FeeRefund
        toast.success(
          f.state === 'pending'
            ? `退款 ${f.refundNo} 已提交，等其他人审核`
            : `已退款 ${displayYuan(f.amount, true)}`,
        )
        onClose()
      }}
      below={v => (
        <p className="refund-sum">
          本次退款 <b className="figure">{displayYuan(sumLines(v.lines ?? []), true)}</b>
          {v.billAfter === 'owed'
            ? '，账单恢复欠费'
            : v.billAfter === 'abolished'
              ? '，账单全额退时同时作废'
              : '，账单仍算已缴（记为减免）'}
        </p>
      )}
    />
  )
}

/** 退款 (REF-2): which bills, how much, how it goes back, what becomes of the bills. */
export function RefundDialog({
  of,
  onClose,
}: {
  readonly of: Pick<PayRecord, 'id'>
  readonly onClose: () => void
}) {
  const one = useCall(getRecord, { id: of.id }, { quiet: true, staleMs: 0 })
  const others = useCall(
    listRefunds,
    { recordId: [String(of.id)], size: 200 },
    {
      quiet: true,
      staleMs: 0,
    },
  )
  const wrong = one.error ?? others.error
  if (one.isFetching || others.isFetching || wrong || !one.data || !others.data)
    return (
      <Modal open title="退款" footer={null} onCancel={onClose}>
        {wrong ? <p role="alert">{wrong.message}</p> : <Skeleton active />}
      </Modal>
    )
  return <RefundForm of={one.data} others={others.data.rows} onClose={onClose} />
}

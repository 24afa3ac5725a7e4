import { Select } from 'antd'
import { sumFen } from '#kit/domain/money.ts'
import { aria, type Control } from '#kit/web/controls/kinds.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { otherItems, payOther } from '../contract/other.ts'
import { TendersControl } from './tenders.tsx'

const ItemControl: Control = p => {
  const q = useCall(otherItems, {}, { quiet: true })
  return (
    <Select
      {...aria(p)}
      style={{ width: '100%' }}
      showSearch={{ optionFilterProp: 'label' }}
      loading={q.isPending}
      value={(p.value ?? null) as never}
      disabled={p.disabled}
      placeholder="请选择收费项目"
      notFoundContent={q.isPending ? '正在读取' : '没有临时类或其他类收费项目，请先在收费设置里新增'}
      options={(q.data ?? []).map(i => ({ value: i.id, label: i.name }))}
      onChange={p.onChange}
      onBlur={p.onBlur}
    />
  )
}

const groups = [
  {
    keys: [
      { key: 'feeItemId', control: ItemControl },
      'content',
      { key: 'methods', control: TendersControl, wide: true },
      'payerName',
      { key: 'remark', wide: true },
    ],
  },
]

const initial = { methods: [{ method: 'cash' }] } as never

/** 其他收入 (TMP-4): taken and booked at once. */
export function OtherDialog({
  onClose,
  onDone,
}: {
  readonly onClose: () => void
  readonly onDone: (recordId: number) => void
}) {
  const go = useSend(payOther, { quiet: true })
  return (
    <EditDialog
      of={payOther.input}
      title="其他收入"
      groups={groups}
      initial={initial}
      words="收款"
      as="dialog"
      save={v => go.mutateAsync(v)}
      onClose={onClose}
      onDone={a => {
        const d = a as NonNullable<typeof payOther.output.T>
        toast.success(`已收 ${yuan(d.received, true)}，收据 ${d.receiptNo}`)
        onDone(d.recordId)
      }}
      below={v => {
        const n = sumFen((v.methods ?? []).map(m => (typeof m.amount === 'number' ? m.amount : 0)))
        return n ? (
          <p className="refund-sum">
            合计 <b className="figure">{yuan(n, true)}</b>
          </p>
        ) : null
      }}
    />
  )
}

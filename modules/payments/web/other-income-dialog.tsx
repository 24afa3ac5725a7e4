import type { Id } from '#kit/domain/id.ts'
import { Select } from 'antd'
import { sumFen } from '#kit/domain/money.ts'
import { ariaProps, type Control } from '#kit/web/controls/control-kinds.tsx'
import { displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { listOtherIncomeItems, registerOtherIncome } from '../contract/other-income.ts'
import { TendersControl } from './tenders.tsx'

function emptyText(items: readonly unknown[] | undefined): string {
  if (!items) return '正在读取'
  return items.length ? '无匹配的收费项目' : '没有临时类或其他类收费项目，请先在收费设置中新增'
}

const ItemControl: Control = props => {
  const items = useCall(listOtherIncomeItems, {}, { quiet: true })
  return (
    <Select
      {...ariaProps(props)}
      style={{ width: '100%' }}
      showSearch={{ optionFilterProp: 'label' }}
      loading={items.isPending}
      value={props.value ?? null}
      disabled={props.disabled}
      placeholder="请选择收费项目"
      notFoundContent={emptyText(items.data)}
      options={(items.data ?? []).map(i => ({ value: i.id, label: i.name }))}
      onChange={props.onChange}
      onBlur={props.onBlur}
    />
  )
}

const formGroups = [
  {
    keys: [
      { key: 'feeItemId', control: ItemControl },
      'content',
      { key: 'methods', control: TendersControl },
      'payerName',
      'remark',
    ],
  },
]

const initialValues = { methods: [{ method: 'cash' as const }] }

/** 其他收入 (TMP-4): taken and booked at once. */
export function OtherIncomeDialog({
  onClose,
  onDone,
}: {
  readonly onClose: () => void
  readonly onDone: (recordId: Id) => void
}) {
  const register = useSend(registerOtherIncome, { quiet: true })
  return (
    <EditDialog
      shape={registerOtherIncome.input}
      draftKey={draftKeyOf(registerOtherIncome, 'new')}
      title="其他收入"
      groups={formGroups}
      initial={initialValues}
      submitLabel="收款"
      presentation="dialog"
      save={v => register.mutateAsync(v)}
      onClose={onClose}
      onDone={d => {
        toast.success(`已收 ${displayYuanWithSymbol(d.received)}，收据 ${d.receiptNo}`)
        onDone(d.recordId)
      }}
      below={values => {
        const total = sumFen((values.methods ?? []).map(m => (typeof m.amount === 'number' ? m.amount : 0)))
        return total ? (
          <p className="refund-sum">
            合计 <b className="figure">{displayYuanWithSymbol(total)}</b>
          </p>
        ) : null
      }}
    />
  )
}

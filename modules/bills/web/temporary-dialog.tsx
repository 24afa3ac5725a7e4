import { Select } from 'antd'
import { labelOf } from '#kit/contract/field.ts'
import { asFen } from '#kit/domain/money.ts'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import { addTempFee, listTempItems } from '../contract/temporary.ts'
import { SourcesControl, type ChosenSource } from './source-control.tsx'

/** Items that may be billed by hand: temporary ones and deposits (TMP-1). */
function ItemControl(p: ControlProps) {
  const items = useCall(listTempItems, {})
  return (
    <Select
      id={p.id}
      style={{ width: '100%' }}
      placeholder="请选择收费项目"
      showSearch={{ optionFilterProp: 'label' }}
      loading={items.isPending}
      disabled={p.disabled}
      {...(p.invalid ? { status: 'error' as const } : {})}
      value={typeof p.value === 'number' ? p.value : undefined}
      onChange={p.onChange}
      onBlur={p.onBlur}
      notFoundContent={items.isPending ? '正在读取' : '没有临时类或押金类收费项目，请先在收费设置中新增'}
      options={(items.data ?? []).map(i => ({
        value: i.id,
        label: `${i.name}（${labelOf(feeType, i.feeType)}）`,
      }))}
    />
  )
}

const dialogGroups = [
  {
    keys: [
      { key: 'feeItemId', control: ItemControl, wide: true },
      { key: 'sources', label: '收费对象', control: SourcesControl, wide: true },
      { key: 'amount', help: '每个对象的金额' },
      { key: 'dueDate', help: '不填为账期止或今天' },
      { key: 'beginDate', help: '不填为今天' },
      { key: 'endDate', help: '不填与账期起相同' },
      { key: 'remark', wide: true },
    ],
  },
]

/** 临时费用: one amount for each of several objects; they are one batch, which can be undone. */
export function TemporaryDialog({
  sources,
  onClose,
  onDone,
}: {
  readonly sources?: readonly ChosenSource[]
  readonly onClose: () => void
  readonly onDone?: () => void
}) {
  const go = useSend(addTempFee, { quiet: true })
  return (
    <EditDialog
      shape={addTempFee.input}
      title="新增临时费用"
      groups={dialogGroups}
      presentation="drawer"
      draftKey="bill/temporary"
      submitLabel="生成账单"
      {...(sources ? { initial: { sources } } : {})}
      save={v => go.mutateAsync(v)}
      onClose={onClose}
      below={v =>
        v.amount && v.sources?.length ? (
          <p className="wizard-hint" role="status">
            {formatCount(v.sources.length)} 张账单，合计{' '}
            {displayYuan(asFen(v.amount * v.sources.length), true)}
          </p>
        ) : null
      }
      onDone={made => {
        toast.success(`已生成 ${formatCount(made.count)} 张账单，合计 ${displayYuan(made.amount, true)}`)
        onDone?.()
        onClose()
      }}
    />
  )
}

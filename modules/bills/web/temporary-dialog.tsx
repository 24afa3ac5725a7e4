import { Select } from 'antd'
import { labelOf } from '#kit/contract/field.ts'
import { asFen } from '#kit/domain/money.ts'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { formatCount, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { feeType } from '#modules/fees/contract/choices.ts'
import { addTempFee, listTempItems } from '../contract/temporary.ts'
import type { ChosenSource } from './source-control.tsx'

/** The cashier knows the object: its choice is not fetched there. */
const SourcesControl = lazyComponent<ControlProps>(
  async () => (await import('./source-control.tsx')).SourcesControl,
  <div style={{ height: 72 }} />,
)

const isTemporary = (item: { readonly feeType: string }): boolean => item.feeType === 'temporary'

function emptyText(hasItems: boolean, withoutDeposits: boolean): string {
  if (hasItems) return '无匹配的收费项目'
  return `暂无临时类${withoutDeposits ? '' : '或押金类'}收费项目，请先在收费设置中新增`
}

/** Items that may be billed by hand: temporary ones, then deposits (TMP-1). */
function ItemControl(props: ControlProps & { readonly withoutDeposits?: boolean }) {
  const items = useCall(listTempItems, {})
  const offered = (items.data ?? [])
    .filter(item => !props.withoutDeposits || isTemporary(item))
    .toSorted((a, b) => Number(isTemporary(b)) - Number(isTemporary(a)))
  return (
    <Select
      id={props.id}
      style={{ width: '100%' }}
      placeholder="请选择收费项目"
      showSearch={{ optionFilterProp: 'label' }}
      loading={items.isPending}
      disabled={props.disabled}
      {...(props.invalid ? { status: 'error' as const } : {})}
      value={typeof props.value === 'number' ? props.value : undefined}
      onChange={props.onChange}
      onBlur={props.onBlur}
      notFoundContent={
        items.isPending ? '正在读取' : emptyText(offered.length > 0, props.withoutDeposits === true)
      }
      options={offered.map(i => ({
        value: i.id,
        label: props.withoutDeposits ? i.name : `${i.name}（${labelOf(feeType, i.feeType)}）`,
      }))}
    />
  )
}

/** Deposits of a room are taken with the cashier's own 押金: they are no part of what is paid there. */
const CounterItemControl = (p: ControlProps) => <ItemControl {...p} withoutDeposits />

const periodAndRemark = [
  { key: 'dueDate', help: '不填为账期止或今天' },
  { key: 'beginDate', help: '不填为今天' },
  { key: 'endDate', help: '不填与账期起相同' },
  'remark',
]

const dialogGroups = [
  {
    keys: [
      { key: 'feeItemId', control: ItemControl },
      { key: 'sources', label: '收费对象', control: SourcesControl },
      { key: 'amount', help: '每个对象的金额' },
      ...periodAndRemark,
    ],
  },
]

/** For what is open at the cashier: nothing is between the item and its amount. */
const counterGroups = [
  { keys: [{ key: 'feeItemId', control: CounterItemControl }, 'amount', ...periodAndRemark] },
]

const toKey = ({ sourceType, sourceCode }: ChosenSource): ChosenSource => ({ sourceType, sourceCode })

/** 临时费用: one amount for each of several objects; they are one batch, which can be undone. */
export function TemporaryDialog({
  of: source,
  onClose,
  onDone,
}: {
  /** The only object, where it is known. */
  readonly of?: ChosenSource & { readonly sourceName: string }
  readonly onClose: () => void
  readonly onDone?: () => void
}) {
  const go = useSend(addTempFee, { quiet: true })
  return (
    <EditDialog
      shape={addTempFee.input}
      title={source ? `新增临时费用「${source.sourceName}」` : '新增临时费用'}
      groups={source ? counterGroups : dialogGroups}
      presentation="drawer"
      draftKey={draftKeyOf(addTempFee, source ? toKey(source) : 'new')}
      {...(source ? { initial: { sources: [toKey(source)] } } : {})}
      submitLabel="生成账单"
      save={v => go.mutateAsync(v)}
      onClose={onClose}
      below={values =>
        values.amount && values.sources?.length ? (
          <p className="wizard-hint" role="status">
            {formatCount(values.sources.length)} 张账单，合计{' '}
            {displayYuanWithSymbol(asFen(values.amount * values.sources.length))}
          </p>
        ) : null
      }
      onDone={made => {
        toast.success(`已生成 ${formatCount(made.count)} 张账单，合计 ${displayYuanWithSymbol(made.amount)}`)
        onDone?.()
        onClose()
      }}
    />
  )
}

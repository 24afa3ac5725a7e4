import { Select } from 'antd'
import { useMemo } from 'react'
import { useSearchParams, useNavigate } from 'react-router'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { useTab, useTabTitle } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import { firstOfMonth } from '#kit/domain/day.ts'
import { today } from '#kit/web/date-format.ts'
import { prorateMode } from '../contract/choices.ts'
import { listFormulas, type FeeFormula } from '../contract/formula.ts'
import { listItems, type FeeItem } from '../contract/item.ts'
import { type FeeStandard, type PriceInput } from '../contract/standard.ts'
import { addStandard, editStandard, listVersions, getStandard } from '../contract/standard-calls.ts'
import { paths, pathWithId } from './paths.ts'
import { usedByBillsMessage, amountFields } from '../domain/definition-rules.ts'
import { createPriceFormKeys } from './price-dialogs.tsx'
import { Trial } from './trial.tsx'

type StandardDraft = NonNullable<typeof addStandard.input.T>
const commonProrateModes = ['actual', 'thirty', 'whole'] as const

/** PRO-4: three modes are shown, the others under 更多. */
function ProrateSelect(p: ControlProps) {
  const row = (k: string) => ({ value: k, label: prorateMode.rows[k as keyof typeof prorateMode.rows][1] })
  const rest = Object.keys(prorateMode.rows).filter(
    k => !(commonProrateModes as readonly string[]).includes(k),
  )
  return (
    <Select
      id={p.id}
      style={{ width: '100%' }}
      value={p.value as string}
      disabled={p.disabled}
      options={[...commonProrateModes.map(row), { label: '更多', title: '更多', options: rest.map(row) }]}
      onChange={v => p.onChange(v)}
      onBlur={p.onBlur}
      {...(p.describedBy ? { 'aria-describedby': p.describedBy } : {})}
    />
  )
}

interface Definitions {
  readonly formulas: ReadonlyMap<number, FeeFormula>
  readonly items: ReadonlyMap<number, FeeItem>
}

function useDefinitions(): Definitions | undefined {
  const formulas = useCall(listFormulas, { size: 500 }, { quiet: true })
  const items = useCall(listItems, { size: 500 }, { quiet: true })
  return useMemo(
    () =>
      formulas.data && items.data
        ? {
            formulas: new Map(formulas.data.rows.map(f => [f.id, f])),
            items: new Map(items.data.rows.map(i => [i.id, i])),
          }
        : undefined,
    [formulas.data, items.data],
  )
}

const isOneOff = (v: { cycleType?: string }): boolean => v.cycleType === 'once'

function createFormGroups({ formulas, items }: Definitions, priced: boolean): readonly FormFieldGroup[] {
  const of = (v: Partial<StandardDraft>): FeeFormula | undefined => formulas.get(v.formulaId ?? 0)
  const type = (v: Partial<StandardDraft>) => of(v)?.formulaType
  const not =
    (...t: string[]) =>
    (v: Partial<StandardDraft>): boolean =>
      !t.includes(type(v) ?? '')
  const noLate = (v: { lateFeeSwitch?: boolean }): boolean => !v.lateFeeSwitch
  return [
    {
      title: '标准',
      keys: [
        'code',
        'name',
        {
          key: 'feeItemId',
          deriveValues: (id: number, v: Partial<StandardDraft>) => {
            const i = items.get(id)
            return i?.feeType === 'metered' || i?.feeType === 'shared'
              ? { chargeMode: 'behind' }
              : i?.feeType === 'deposit' || i?.feeType === 'temporary'
                ? { cycleType: 'once' }
                : v.cycleType === 'once'
                  ? { cycleType: 'natural' }
                  : undefined
          },
        },
        { key: 'formulaId', help: '保存后不能换；换算法请另建标准' },
        { key: 'areaKind', isHidden: not('area') },
        { key: 'quantityKind', isHidden: not('quantity') },
        { key: 'usageUnit', isHidden: not('usage', 'tiers', 'quantity'), help: '如 吨、度、次' },
        { key: 'tiersStretch', isHidden: not('tiers'), help: '抄表间隔超过一个月时，各档的上限按天数放大' },
      ],
    },
    ...(priced
      ? [
          {
            title: '价格',
            keys: createPriceFormKeys(type, of).map(k =>
              typeof k !== 'string' && k.key === 'effectiveDate'
                ? { ...k, help: '这个标准最早从哪天起有价格；留空表示一直有效' }
                : k,
            ),
          },
        ]
      : []),
    {
      title: '账期与应缴',
      keys: [
        'cycleType',
        { key: 'cycleMonths', isHidden: isOneOff },
        {
          key: 'alignYear',
          isHidden: (v: Partial<StandardDraft>) =>
            isOneOff(v) || v.cycleType !== 'natural' || v.cycleMonths === 1,
          help: '打开：季度是 1–3 月、4–6 月……；关闭：从起收月份往后数',
        },
        'chargeMode',
        'startRule',
        { key: 'prorateMode', control: ProrateSelect, wide: false, isHidden: isOneOff },
        {
          key: 'advanceDays',
          isHidden: (v: Partial<StandardDraft>) => v.chargeMode !== 'ahead',
          help: '预收：账期开始前几天出账',
        },
        {
          key: 'delayDays',
          isHidden: (v: Partial<StandardDraft>) => v.chargeMode !== 'behind',
          help: '后收：账期结束后再过几天出账',
        },
        'dueBase',
        'dueDays',
        'dueSkipHoliday',
      ],
    },
    {
      title: '舍入与限额',
      keys: [
        'roundType',
        'roundUnit',
        { key: 'minAmount', help: '一期最少收这么多' },
        { key: 'maxAmount', help: '一期最多收这么多' },
        { key: 'endDate', help: '这一天以后不再收' },
      ],
    },
    {
      title: '违约金',
      keys: [
        { key: 'lateFeeSwitch', label: '用自己的违约金规则', help: '关闭时按收费项目的规则' },
        { key: 'lateRates', isHidden: noLate },
        { key: 'graceDays', isHidden: noLate },
      ],
    },
    { title: '其他', keys: [{ key: 'remark', wide: true }] },
  ]
}

const renderTrial = (known: Definitions, v: Partial<StandardDraft>, versions?: readonly object[]) => {
  const f = known.formulas.get(v.formulaId ?? 0)
  const i = known.items.get(v.feeItemId ?? 0)
  return f ? (
    <Trial
      standard={{ id: 0, ...v } as never}
      metered={i?.feeType === 'metered'}
      formula={f}
      versions={versions ?? [{ ...(v as PriceInput) }]}
    />
  ) : (
    <div className="trial">
      <h3>试算</h3>
      <p>选好公式、填好单价后，这里算一期给你看</p>
    </div>
  )
}

/** A standard that bills use keeps what decides their amounts. */
const lockAmountField = (k: FormFieldGroup['keys'][number]): FormFieldGroup['keys'][number] => {
  const key = typeof k === 'string' ? k : k.key
  return (amountFields as readonly string[]).includes(key)
    ? { ...(typeof k === 'string' ? { key } : k), disabledReason: () => usedByBillsMessage }
    : k
}

export function AddStandardPage() {
  const [at] = useSearchParams()
  const known = useDefinitions()
  const add = useSend(addStandard, { quiet: true })
  const tab = useTab()
  const navigate = useNavigate()
  const formula = Number(at.get('formula')) || undefined
  const groups = useMemo(() => known && createFormGroups(known, true), [known])
  const initial = useMemo(
    () => ({ effectiveDate: firstOfMonth(today()), ...(formula ? { formulaId: formula } : {}) }),
    [formula],
  )
  if (!known || !groups) return <RowSkeleton rows={10} />
  return (
    <FormPage
      shape={addStandard.input}
      title="新增收费标准"
      groups={groups}
      initial={initial}
      draftKey="fee-standard/new"
      submitLabel="新增收费标准"
      aside={v => renderTrial(known, v)}
      save={v => add.mutateAsync(v)}
      onDone={a => {
        const made = a as FeeStandard
        toast.success(`已新增收费标准「${made.name}」`)
        tab.close()
        void navigate(pathWithId(paths.standard, made.id))
      }}
    />
  )
}

export function EditStandardPage() {
  const [at] = useSearchParams()
  const id = Number(at.get('id')) || 0
  const known = useDefinitions()
  const one = useCall(getStandard, { id }, { quiet: true, enabled: id > 0 })
  const prices = useCall(listVersions, { standardId: id }, { quiet: true, enabled: id > 0 })
  const edit = useSend(editStandard, { quiet: true })
  const tab = useTab()
  const s = one.data
  useTabTitle(s && `编辑 ${s.name}`)
  const used = prices.data?.some(v => v.used) ?? false
  const groups = useMemo(
    () =>
      known &&
      createFormGroups(known, false).map(g =>
        used ? { ...g, keys: g.keys.map(k => lockAmountField(k)) } : g,
      ),
    [known, used],
  )
  if (id <= 0)
    return (
      <ErrorState error={new Error('地址里没有要编辑的收费标准编号')} onRetry={() => location.reload()} />
    )
  if (one.isError) return <ErrorState error={one.error} onRetry={() => void one.refetch()} />
  if (!s || !known || !groups) return <RowSkeleton rows={10} />
  return (
    <FormPage
      key={s.id}
      shape={editStandard.input}
      title={`编辑收费标准「${s.name}」`}
      groups={groups}
      initial={s}
      draftKey={`fee-standard/${s.id}`}
      aside={v => renderTrial(known, { ...s, ...v }, prices.data?.toReversed())}
      save={v => edit.mutateAsync(v)}
      loadCurrent={async () => ({ ...(await send(getStandard, { id })) })}
      onDone={a => {
        toast.success(`已保存收费标准「${(a as FeeStandard).name}」，以后出的账单按新设置`)
        tab.close()
      }}
    />
  )
}

import type { Id } from '#kit/domain/id.ts'
import { Select } from 'antd'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { prorateMode } from '../contract/choices.ts'
import type { FeeFormula } from '../contract/formula.ts'
import type { FeeItem } from '../contract/item.ts'
import type { addStandard } from '../contract/standard-calls.ts'
import { createPriceFormKeys } from './price-dialogs.tsx'

type StandardDraft = Partial<NonNullable<typeof addStandard.input.T>>

const commonProrateModes: ReadonlySet<string> = new Set(['actual', 'thirty', 'whole'])

/** PRO-4: three modes are shown, the others under 更多. */
function ProrateSelect(props: ControlProps) {
  const options = Object.entries(prorateMode.rows).map(([value, [, label]]) => ({ value, label }))
  return (
    <Select
      id={props.id}
      style={{ width: '100%' }}
      value={props.value}
      disabled={props.disabled}
      options={[
        ...options.filter(o => commonProrateModes.has(o.value)),
        { label: '更多', title: '更多', options: options.filter(o => !commonProrateModes.has(o.value)) },
      ]}
      onChange={v => props.onChange(v)}
      onBlur={props.onBlur}
      {...(props.describedBy ? { 'aria-describedby': props.describedBy } : {})}
    />
  )
}

export interface Definitions {
  readonly formulas: ReadonlyMap<Id, FeeFormula>
  readonly items: ReadonlyMap<Id, FeeItem>
}

const isOneOff = (draft: StandardDraft): boolean => draft.cycleType === 'once'

/** What follows from the chosen fee item. */
const deriveFromItem = (item: FeeItem | undefined, draft: StandardDraft) => {
  if (item?.feeType === 'metered' || item?.feeType === 'shared') return { chargeMode: 'behind' }
  if (item?.feeType === 'deposit' || item?.feeType === 'temporary') return { cycleType: 'once' }
  if (draft.cycleType === 'once') return { cycleType: 'natural' }
  return undefined
}

function definitionGroup({ formulas, items }: Definitions): FormFieldGroup {
  const hiddenUnless =
    (...types: FeeFormula['formulaType'][]) =>
    (draft: StandardDraft): boolean =>
      !types.some(type => type === formulas.get(draft.formulaId ?? 0)?.formulaType)
  return {
    title: '标准',
    keys: [
      'code',
      'name',
      {
        key: 'feeItemId',
        deriveValues: (id: Id, draft: StandardDraft) => deriveFromItem(items.get(id), draft),
      },
      { key: 'formulaId', help: '保存后不能更换；更换算法请新建标准' },
      { key: 'areaKind', isHidden: hiddenUnless('area') },
      { key: 'quantityKind', isHidden: hiddenUnless('quantity') },
      { key: 'usageUnit', isHidden: hiddenUnless('usage', 'tiers', 'quantity'), help: '如 吨、度、次' },
      {
        key: 'tiersStretch',
        isHidden: hiddenUnless('tiers'),
        help: '抄表间隔超过一个月时，各档的上限按天数放大',
      },
    ],
  }
}

function priceGroup({ formulas }: Definitions): FormFieldGroup {
  const formulaOf = (draft: StandardDraft): FeeFormula | undefined => formulas.get(draft.formulaId ?? 0)
  return {
    title: '价格',
    keys: createPriceFormKeys(draft => formulaOf(draft)?.formulaType, formulaOf).map(field =>
      typeof field !== 'string' && field.key === 'effectiveDate'
        ? { ...field, help: '该标准价格的最早生效日期；不填表示一直有效' }
        : field,
    ),
  }
}

const periodGroup: FormFieldGroup = {
  title: '账期与应缴',
  keys: [
    'cycleType',
    { key: 'cycleMonths', isHidden: isOneOff },
    {
      key: 'alignYear',
      isHidden: (draft: StandardDraft) =>
        isOneOff(draft) || draft.cycleType !== 'natural' || draft.cycleMonths === 1,
      help: '打开：季度是 1–3 月、4–6 月……；关闭：自起收月份起算',
    },
    'chargeMode',
    'startRule',
    { key: 'prorateMode', control: ProrateSelect, wide: false, isHidden: isOneOff },
    {
      key: 'advanceDays',
      isHidden: (draft: StandardDraft) => draft.chargeMode !== 'ahead',
      help: '预收：账期开始前几天出账',
    },
    {
      key: 'delayDays',
      isHidden: (draft: StandardDraft) => draft.chargeMode !== 'behind',
      help: '后收：账期结束后再过几天出账',
    },
    'dueBase',
    'dueDays',
    'dueSkipHoliday',
  ],
}

const limitsGroup: FormFieldGroup = {
  title: '舍入与限额',
  keys: [
    'roundType',
    'roundUnit',
    { key: 'minAmount', help: '单期最低收费' },
    { key: 'maxAmount', help: '单期最高收费' },
    { key: 'endDate', help: '自该日次日起不再收' },
  ],
}

const hasNoLateFee = (draft: StandardDraft): boolean => !draft.lateFeeSwitch

const lateFeeGroup: FormFieldGroup = {
  title: '违约金',
  keys: [
    { key: 'lateFeeSwitch', label: '单独设置违约金规则', help: '关闭时按收费项目的规则' },
    { key: 'lateRates', isHidden: hasNoLateFee },
    { key: 'graceDays', isHidden: hasNoLateFee },
  ],
}

/** `priced`: with the first price, which a new standard has. */
export const createStandardFormGroups = (
  definitions: Definitions,
  priced: boolean,
): readonly FormFieldGroup[] => [
  definitionGroup(definitions),
  ...(priced ? [priceGroup(definitions)] : []),
  periodGroup,
  limitsGroup,
  lateFeeGroup,
  { title: '其他', keys: ['remark'] },
]

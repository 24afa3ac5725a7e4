import type { FeeStandard } from '../contract/standard.ts'
import type { FeeRelation } from '../contract/relation.ts'
import type { FeeItem } from '../contract/item.ts'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'

const hasNoLateFee = (v: { lateFeeSwitch?: boolean }): boolean => !v.lateFeeSwitch

export const itemFormGroups: readonly FormFieldGroup[] = [
  {
    title: '基本',
    keys: [
      'code',
      'name',
      'feeType',
      'category',
      { key: 'incomeKind', help: '代收款不计入公司收入，报表中单独列示' },
      { key: 'scene', help: '限定可绑定的对象' },
      { key: 'billMode', help: '自动：到期由系统出账；手工：由人开单' },
      { key: 'sort', help: '缴费不足时，数字小的先冲抵' },
    ],
  },
  {
    title: '缴费',
    keys: [
      'inRate',
      'allowOnline',
      'autoDeduct',
      { key: 'allowMulti', help: '如一户两只水表；打开后同一对象的日期可以重叠' },
      { key: 'principalSettles', help: '打开后，本金缴清就算结清，违约金另收' },
      { key: 'taxRate', help: '0–1 之间的小数，如 0.06' },
    ],
  },
  {
    title: '违约金',
    keys: [
      'lateFeeSwitch',
      {
        key: 'lateRates',
        isHidden: hasNoLateFee,
        help: '“起”不填的一行对以前都有效；调整费率时另加一行并写起始日',
      },
      { key: 'graceDays', isHidden: hasNoLateFee },
      { key: 'graceMode', isHidden: hasNoLateFee },
      { key: 'lateFeeCapMode', isHidden: hasNoLateFee },
      {
        key: 'lateFeeCapValue',
        isHidden: v => hasNoLateFee(v) || !v.lateFeeCapMode || v.lateFeeCapMode === 'none',
        help: '本金比例填 1 表示不超过本金；最多天数填天数',
      },
      { key: 'lateFeeMinPrincipal', isHidden: hasNoLateFee, help: '本金低于此金额不计' },
      { key: 'lateFeeMinAmount', isHidden: hasNoLateFee, help: '低于此金额按 0 计' },
      { key: 'lateFeeBeginDate', isHidden: hasNoLateFee, help: '该日以前的逾期不计' },
    ],
  },
  { title: '其他', keys: ['remark'] },
]

export const itemDetailGroups: readonly DetailGroup<FeeItem>[] = [
  {
    title: '基本',
    keys: ['code', 'feeType', 'category', 'incomeKind', 'scene', 'billMode', 'sort', 'standards', 'state'],
  },
  {
    title: '缴费',
    keys: ['inRate', 'allowOnline', 'autoDeduct', 'allowMulti', 'principalSettles', 'taxRate'],
  },
  {
    title: '违约金',
    keys: [
      'lateFeeSwitch',
      'lateRates',
      'graceDays',
      'graceMode',
      'lateFeeCapMode',
      'lateFeeCapValue',
      'lateFeeMinPrincipal',
      'lateFeeMinAmount',
      'lateFeeBeginDate',
    ],
  },
  { title: '其他', keys: ['remark', 'createTime', 'updateTime'] },
]

export const standardDetailGroups: readonly DetailGroup<FeeStandard>[] = [
  {
    title: '标准',
    keys: [
      'code',
      'feeItemName',
      'formulaName',
      'areaKind',
      'quantityKind',
      'usageUnit',
      'price',
      'priceFrom',
      'relations',
      'state',
      'endDate',
    ],
  },
  {
    title: '账期与应缴',
    keys: [
      'cycleType',
      'cycleMonths',
      'alignYear',
      'chargeMode',
      'startRule',
      'prorateMode',
      'advanceDays',
      'delayDays',
      'dueBase',
      'dueDays',
      'dueSkipHoliday',
    ],
  },
  { title: '舍入与限额', keys: ['roundType', 'roundUnit', 'minAmount', 'maxAmount'] },
  { title: '违约金', keys: ['lateFeeSwitch', 'lateRates', 'graceDays'] },
  { title: '其他', keys: ['remark', 'createTime', 'updateTime'] },
]

export const relationDetailGroups: readonly DetailGroup<FeeRelation>[] = [
  {
    title: '关联',
    keys: [
      'sourceType',
      'sourceName',
      'sourceCode',
      'feeItemName',
      'standardName',
      'price',
      'beginDate',
      'endDate',
      'billedTo',
      'state',
      'stopReason',
    ],
  },
  {
    title: '该对象自己的',
    keys: ['priceOverride', 'ratioOverride', 'quantity', 'free', 'meterId', 'payerKind', 'payerName'],
  },
  { title: '其他', keys: ['remark', 'createTime', 'updateTime'] },
]

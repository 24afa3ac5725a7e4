import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { addFeeRuleVersion, parkFeeRules, type ParkFeeRule } from '../contract/fee-rule.ts'
import { menu } from '../module.ts'

const PriceTest = lazyComponent(() => import('./price-test.tsx').then(m => m.PriceTestDialog))

const hasNoNight = ({ nightBegin, nightEnd }: Partial<ParkFeeRule>): boolean => !nightBegin && !nightEnd

const { model } = crudPages(parkFeeRules, {
  unit: '条收费规则',
  deletion: {
    consequences: [
      '在场车辆改按停车场的其余规则计费；已收的停车费不变',
      '在场或此后入场的车辆没有其余规则可用时，不能删除',
    ],
    reasons: ['录入有误', '不再使用'],
  },
  columns: [
    { key: 'ruleName', identity: true, width: 170, grow: 1 },
    { key: 'parkName', width: 140, grow: 1 },
    { key: 'carKinds', width: 84, hidePriority: 1 },
    { key: 'appliesOn', wideOnly: true, hidePriority: 2 },
    { key: 'summary', title: '计费', width: 466, grow: 0 },
    'effectiveDate',
    'state',
  ],
  actions: [
    {
      label: '新增版本',
      needs: menu.feeRule.permissions.add,
      call: addFeeRuleVersion,
      keys: [{ key: 'effectiveDate', help: '自该日期起入场的车辆适用；生效之前可以编辑价格' }],
      submitLabel: '新增版本',
      doneText: '已新增版本：',
    },
  ],
  form: {
    presentation: 'drawer',
    groups: [
      { keys: ['ruleName', 'parkId', 'effectiveDate', 'appliesOn', { key: 'carKinds', wide: true }] },
      {
        title: '白天与分段',
        keys: ['freeMinutes', 'isFreeIncluded', 'firstMinutes', 'firstFee', 'stepMinutes', 'stepFee'],
      },
      { title: '封顶', keys: ['capType', 'capFee', 'isFirstEachBlock'] },
      {
        title: '夜间',
        keys: ['nightBegin', 'nightEnd', { key: 'nightFee', isHidden: hasNoNight }],
      },
      { title: '离场与用券', keys: ['leaveFreeMinutes', 'maxCoupons'] },
      { title: '其他', keys: [{ key: 'factors', wide: true }, 'state', { key: 'remark', wide: true }] },
    ],
  },
  toolbar: [{ label: '费用试算', needs: menu.feeRule.permissions.view, dialog: PriceTest }],
})

/** 收费规则: versions by their day, with the test of prices (PRK-25). */
export const FeeRules = () => (
  <CrudList
    model={model}
    list={{ embedded: true, pageSize: 15, barFilters: ['parkId', 'carKinds', 'state'] }}
  />
)

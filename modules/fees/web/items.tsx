import { useNavigate } from 'react-router'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { listLink } from '#kit/web/list/list-address.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { deleteItems, feeItem, listItems, getItem, setItemState, type FeeItem } from '../contract/item.ts'
import { listStandards } from '../contract/standard-calls.ts'
import { menu } from '../module.ts'
import { itemDetailGroups } from './form-groups.ts'
import { paths, pathWithId } from './paths.ts'
import { createStateActions } from './state-actions.ts'

const deleteAction = createReasonAction<FeeItem>(deleteItems, {
  unit: '个收费项目',
  nameOf: i => i.name,
  consequences: ['有收费标准的项目不能删除，可以停用'],
  reasonPresets: ['录入有误', '不再收取'],
})

const stateActions = createStateActions<FeeItem>(setItemState, '收费项目')

const listColumns = buildColumns(listItems.output, [
  { key: 'code', width: 88 },
  { key: 'name', identity: true },
  'feeType',
  'category',
  { key: 'incomeKind', wideOnly: true },
  'scene',
  'billMode',
  { key: 'lateFeeSwitch', hidePriority: 1 },
  { key: 'autoDeduct', hidePriority: 1 },
  { key: 'inRate', hidePriority: 2 },
  { key: 'sort', hidePriority: 2 },
  { key: 'standards', width: 64 },
  'state',
])

const views = [
  { id: '', name: '全部项目', filter: {} },
  { id: 'cyclic', name: '周期性', filter: { feeType: ['cyclic'] } },
  { id: 'metered', name: '抄表', filter: { feeType: ['metered', 'shared'] } },
  { id: 'once', name: '临时与押金', filter: { feeType: ['temporary', 'deposit'] } },
  { id: 'off', name: '已停用', filter: { state: ['off'] } },
]

export function Items() {
  const navigate = useNavigate()
  const rowActions = (item: FeeItem): Actions => [
    {
      label: '编辑',
      needs: menu.item.permissions.edit,
      run: () => navigate(pathWithId(paths.editItem, item.id)),
    },
    {
      label: '查看收费标准',
      needs: menu.standard.permissions.view,
      run: () =>
        navigate(`${listLink(paths.setting, listStandards, { feeItemId: [String(item.id)] })}&tab=standards`),
    },
    stateActions.row(item),
    deleteAction.row(item),
  ]
  return (
    <ListPage
      list={listItems}
      itemName="收费项目"
      settingsKey="fees/items"
      columns={listColumns}
      barFilters={['feeType', 'scene', 'state']}
      views={views}
      primaryAction={{
        label: '新增收费项目',
        needs: menu.item.permissions.add,
        run: () => navigate(paths.addItem),
      }}
      rowActions={rowActions}
      batchActions={[...stateActions.batch, deleteAction.batch]}
      isDimmed={i => i.state === 'off'}
      drawer={{
        title: i => i.name,
        status: i => <ChoiceStatus choices={enabledState} value={i.state} />,
        loadCall: getItem,
        groups: itemDetailGroups,
        historyEntity: feeItem.name,
        actions: rowActions,
      }}
    />
  )
}

import { useNavigate } from 'react-router'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { addPackage, deletePackages, editPackage, listPackages, getPackage } from '../contract/package.ts'
import { feePackage, type FeePackage } from '../contract/relation.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'
import { createMultiRefControl } from './ref-controls.tsx'

const deleteAction = createReasonAction<FeePackage>(deletePackages, {
  unit: '个套餐',
  nameOf: p => p.name,
  consequences: ['已经绑定的收费关联不受影响'],
  reasonPresets: ['不再使用', '录入有误'],
})

const listColumns = buildColumns(listPackages.output, [
  { key: 'name', identity: true },
  { key: 'standardNames', width: 420, grow: 2, align: 'left' },
  'remark',
  'createTime',
])

const StandardsControl = createMultiRefControl('feeStandard')

const formGroups = [
  {
    keys: [
      'name',
      { key: 'standardIds', control: StandardsControl, help: '同一收费项目只能选一个标准' },
      'remark',
    ],
  },
]

/** 套餐 (FEE-10). */
export function Packages() {
  const navigate = useNavigate()
  const form = useEdit({
    itemName: '套餐',
    add: addPackage,
    edit: editPackage,
    load: getPackage,
    isRowComplete: true,
    nameOf: (p: FeePackage) => p.name,
    groups: formGroups,
  })
  const rowActions = (row: FeePackage): Actions => [
    form.editAction(row),
    {
      label: '批量绑定',
      needs: menu.relation.permissions.batch,
      run: () => navigate(`${paths.bind}?package=${row.id}`),
    },
    deleteAction.row(row),
  ]
  return (
    <>
      <ListPage
        list={listPackages}
        itemName="套餐"
        settingsKey="fees/packages"
        columns={listColumns}
        filters={['createTime']}
        primaryAction={form.addAction}
        rowActions={rowActions}
        batchActions={[deleteAction.batch]}
        drawer={{
          title: p => p.name,
          loadCall: getPackage,
          groups: [{ keys: ['standardNames', 'remark', 'createTime', 'updateTime'] }],
          historyEntity: feePackage.name,
          actions: rowActions,
        }}
      />
      {form.dialog}
    </>
  )
}

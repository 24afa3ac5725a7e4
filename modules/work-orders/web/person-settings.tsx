import { useState } from 'react'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { EditDialog, permissionOf } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction, sendAndInvalidate } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import {
  orderRole,
  orderRoles,
  personConfig,
  personConfigs,
  saveOrderRole,
  savePersonConfig,
  type OrderRole,
  type PersonConfig,
} from '../contract/person-config.ts'

const configColumns = buildColumns(personConfig, [
  {
    key: 'typeName',
    identity: true,
    width: 120,
    grow: 1,
    render: row => row.typeName ?? '全部类型',
    text: row => row.typeName ?? '全部类型',
  },
  { key: 'estateName', hidePriority: 1 },
  { key: 'managerNames', width: 180, grow: 2 },
  { key: 'buildCodes', width: 110, hidePriority: 1 },
  { key: 'weekdays', width: 130, hidePriority: 1 },
  {
    key: 'shiftBegin',
    title: '班次',
    width: 110,
    render: row => (row.shiftBegin ? `${row.shiftBegin}–${row.shiftEnd ?? ''}` : '全天'),
    text: row => (row.shiftBegin ? `${row.shiftBegin}–${row.shiftEnd ?? ''}` : '全天'),
  },
  'maxOpen',
  'onlyOnDuty',
])

const configGroups = (typeKey: 'typeId' | 'typeIds') => [
  {
    keys: [
      { key: typeKey, wide: true },
      { key: 'buildCodes', wide: true },
      { key: 'managerIds', wide: true },
      'weekdays',
      'shiftBegin',
      'shiftEnd',
      'maxOpen',
      'onlyOnDuty',
      'remark',
    ],
  },
]

const removeConfig = createReasonAction<PersonConfig>(personConfigs.delete, {
  unit: '条接单人配置',
  nameOf: row => row.typeName ?? '全部类型',
  reasonPresets: ['人员调整', '录入有误'],
})

const saveConfig = (values: NonNullable<typeof savePersonConfig.input.T>): Promise<unknown> =>
  sendAndInvalidate(savePersonConfig, values, { quiet: true })

/** 接单人配置: who gets what, where and when (WO-13). */
export function PersonSettings() {
  const [edited, setEdited] = useState<Partial<PersonConfig>>()
  const needs = permissionOf(savePersonConfig)
  const done = (): void => {
    setEdited(undefined)
    toast.success('已保存接单人配置')
  }
  return (
    <>
      <ListPage
        embedded
        pageSize={15}
        list={personConfigs.list}
        itemName="接单人配置"
        columns={configColumns}
        filters={['typeId']}
        barFilters={['typeId']}
        primaryAction={{ label: '新增接单人配置', needs, run: () => setEdited({}) }}
        rowActions={row => [
          { label: '编辑', needs, run: () => setEdited(row) },
          {
            label: '复制',
            needs,
            run: () => {
              setEdited({ ...row, id: 0 })
            },
          },
          removeConfig.row(row),
        ]}
        batchActions={[removeConfig.batch]}
      />
      {edited && (
        <EditDialog
          shape={savePersonConfig.input}
          draftKey={draftKeyOf(savePersonConfig, edited.id ?? 'new')}
          title={edited.id ? '编辑接单人配置' : '新增接单人配置'}
          groups={configGroups(edited.id ? 'typeId' : 'typeIds')}
          initial={edited}
          presentation="drawer"
          save={saveConfig}
          onClose={() => setEdited(undefined)}
          onDone={done}
        />
      )}
    </>
  )
}

const roleColumns = buildColumns(orderRole, [
  { key: 'roleName', identity: true, width: 140 },
  { key: 'managerNames', width: 200, grow: 1 },
  { key: 'typeNames', width: 200, grow: 1 },
  'visibility',
])

const roleGroups = [
  {
    keys: [
      'roleName',
      'visibility',
      { key: 'managerIds', wide: true },
      { key: 'typeIds', wide: true, help: '含下级类型' },
    ],
  },
]

const removeRole = createReasonAction<OrderRole>(orderRoles.delete, {
  unit: '个接单角色',
  nameOf: row => row.roleName,
  reasonPresets: ['岗位调整', '录入有误'],
})

/** 接单角色: what those who handle orders see of others' (WO-11). */
export function RoleSettings() {
  const [edited, setEdited] = useState<Partial<OrderRole>>()
  const needs = permissionOf(saveOrderRole)
  return (
    <>
      <ListPage
        embedded
        pageSize={15}
        list={orderRoles.list}
        itemName="接单角色"
        columns={roleColumns}
        filters={['visibility']}
        primaryAction={{ label: '新增接单角色', needs, run: () => setEdited({}) }}
        rowActions={row => [{ label: '编辑', needs, run: () => setEdited(row) }, removeRole.row(row)]}
        batchActions={[removeRole.batch]}
      />
      {edited && (
        <EditDialog
          shape={saveOrderRole.input}
          draftKey={draftKeyOf(saveOrderRole, edited.id ?? 'new')}
          title={edited.id ? '编辑接单角色' : '新增接单角色'}
          groups={roleGroups}
          initial={edited}
          presentation="drawer"
          save={values => sendAndInvalidate(saveOrderRole, values, { quiet: true })}
          onClose={() => setEdited(undefined)}
          onDone={({ roleName }) => {
            setEdited(undefined)
            toast.success(`已保存接单角色「${roleName}」`)
          }}
        />
      )}
    </>
  )
}

import { buildColumns } from '#kit/web/columns.tsx'
import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import { useState } from 'react'
import type { Doorway } from '../contract/doorway.ts'
import {
  bindDoorways,
  doorwayGroups,
  listBoundDoorways,
  unbindDoorways,
  type DoorwayGroup,
} from '../contract/group.ts'
import { menu } from '../module.ts'
import { OnlineCell, onlineText } from './online-text.tsx'

type Scope = DoorwayGroup['scopeType']

const isNot =
  (...kinds: readonly Scope[]) =>
  ({ scopeType }: { readonly scopeType?: Scope }): boolean =>
    scopeType === undefined || !kinds.includes(scopeType)

const BindDialog = actionDialog({
  call: bindDoorways,
  title: (group: DoorwayGroup) => `「${group.groupName}」绑定门`,
  submitLabel: '绑定',
  keys: [{ key: 'doorwayIds', wide: true }],
  target: group => ({ groupId: group.id }),
  context: group => ({ projectCode: group.projectCode }),
  doneText: () => '已绑定',
})

const doorwayColumns = buildColumns(listBoundDoorways.output, [
  { key: 'doorwayName', identity: true, grow: 1 },
  { key: 'buildName', hidePriority: 1 },
  { key: 'unitName', hidePriority: 1 },
  'direction',
  { key: 'isOnline', text: onlineText, render: OnlineCell },
  'state',
])

const unbind = async (group: DoorwayGroup, doorways: readonly Doorway[]): Promise<void> => {
  await sendAndInvalidate(unbindDoorways, {
    groupId: group.id,
    doorwayIds: doorways.map(({ id }) => String(id)),
  })
  toast.success(`已解绑 ${doorways.length} 个门`)
}

/** The doors of a group, in its drawer. */
function GroupDoorways({ group }: { readonly group: DoorwayGroup }) {
  const [isBinding, setBinding] = useState(false)
  const needs = menu.group.permissions.edit
  return (
    <>
      <ListPage
        embedded
        list={listBoundDoorways}
        itemName="门"
        fixedFilter={{ groupId: group.id }}
        filters={[]}
        columns={doorwayColumns}
        settingsKey="access/doorways-of-group"
        primaryAction={{ label: '绑定门', needs, run: () => setBinding(true) }}
        rowActions={doorway => [{ label: '解绑', needs, run: () => unbind(group, [doorway]) }]}
        batchActions={[{ label: '解绑', needs, run: selected => unbind(group, selected.rows) }]}
      />
      {isBinding && <BindDialog record={group} onClose={() => setBinding(false)} />}
    </>
  )
}

const { model } = crudPages(doorwayGroups, {
  unit: '个门组',
  deletion: {
    consequences: ['因该门组可开的门不再可开；门禁卡、人脸已选用的门组不能删除'],
    reasons: ['录入有误', '不再使用'],
  },
  columns: [
    { key: 'groupName', identity: true, grow: 2 },
    'doorwayCount',
    'scopeType',
    { key: 'defaultForRole', grow: 1, hidePriority: 1 },
    'state',
    { key: 'updateTime', wideOnly: true },
  ],
  form: {
    presentation: 'drawer',
    groups: [
      { keys: ['groupName', 'state', { key: 'doorwayIds', wide: true }] },
      {
        title: '适用',
        keys: [
          { key: 'scopeType', help: '手动指定：门禁卡、人脸选用；员工：在职员工均可开' },
          { key: 'buildCodes', isRequired: true, isHidden: isNot('building', 'unit') },
          { key: 'unitNames', isRequired: true, isHidden: isNot('unit'), help: '如 1、2' },
          { key: 'defaultForRole', isHidden: isNot('building', 'unit'), wide: true },
        ],
      },
      { title: '时间', keys: [{ key: 'windows', wide: true }] },
      { title: '其他', keys: [{ key: 'remark', wide: true }] },
    ],
  },
  drawer: { width: 880 },
  tabs: [{ key: 'doorways', label: '门', inDrawer: true, body: group => <GroupDoorways group={group} /> }],
})

/** 门组: doors that are granted together. */
export const Groups = () => (
  <CrudList model={model} list={{ embedded: true, pageSize: 15, barFilters: ['scopeType', 'state'] }} />
)

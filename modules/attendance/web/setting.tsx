import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Id } from '#kit/domain/id.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { groups, type AttendanceGroup } from '../contract/group.ts'
import { menu, paths } from '../module.ts'

const AddMembersDialog = lazyComponent(() => import('./add-members-dialog.tsx').then(m => m.AddMembersDialog))

const columns = buildColumns(groups.list.output, [
  { key: 'groupName', identity: true, grow: 1 },
  'groupType',
  'memberCount',
  'allowsPhone',
  { key: 'updateTime', wideOnly: true },
])

const remove = createReasonAction(groups.delete, {
  unit: '个考勤组',
  nameOf: (group: AttendanceGroup) => group.groupName,
})

type Values = Readonly<Record<string, unknown>>

const groupForms = [
  {
    keys: [
      'groupName',
      'groupType',
      { key: 'dayCut', isHidden: (values: Values) => values.groupType !== 'free' },
      { key: 'minMinutes', isHidden: (values: Values) => values.groupType !== 'free' },
      { key: 'week', wide: true, isHidden: (values: Values) => values.groupType === 'schedule' },
    ],
  },
  {
    title: '规则',
    keys: ['mendLimit', 'mendDays', 'missingIsAbsent', 'overtimeRule', { key: 'managerIds', wide: true }],
  },
  {
    title: '手机打卡',
    keys: [
      'allowsPhone',
      { key: 'places', wide: true, isHidden: (values: Values) => !values.allowsPhone },
      { key: 'wifis', wide: true, isHidden: (values: Values) => !values.allowsPhone },
    ],
  },
]

/** 考勤设置: the groups with their rules. */
export default function SettingPage() {
  const navigate = useNavigate()
  const [adding, setAdding] = useState<Id>()
  const form = useEdit({
    itemName: '考勤组',
    add: groups.save,
    edit: groups.save,
    load: groups.get,
    nameOf: (group: AttendanceGroup) => group.groupName,
    presentation: 'drawer',
    groups: groupForms,
  })
  return (
    <>
      <ListPage
        list={groups.list}
        itemName="考勤组"
        columns={columns}
        primaryAction={form.addAction}
        rowActions={group => [
          form.editAction(group),
          { label: '添加人员', needs: menu.group.permissions.edit, run: () => setAdding(group.id) },
          { label: '人员', run: () => void navigate(`${paths.unit}?groupId=${group.id}`) },
          remove.row(group),
        ]}
        batchActions={[remove.batch]}
        drawer={{ title: group => group.groupName, loadCall: groups.get, historyEntity: 'attendanceGroup' }}
      />
      {form.dialog}
      {adding !== undefined && <AddMembersDialog groupId={adding} onClose={() => setAdding(undefined)} />}
    </>
  )
}

import { useState } from 'react'
import { buildColumns } from '#kit/web/columns.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listMembers, type AttendanceMember } from '../contract/group.ts'
import { menu } from '../module.ts'
import type { EndedMembers } from './end-members-dialog.tsx'

const AddMembersDialog = lazyComponent(() => import('./add-members-dialog.tsx').then(m => m.AddMembersDialog))
const EndMembersDialog = lazyComponent(() => import('./end-members-dialog.tsx').then(m => m.EndMembersDialog))

const columns = buildColumns(listMembers.output, [
  { key: 'staffName', identity: true, width: 120 },
  'staffNo',
  { key: 'departmentName', grow: 1 },
  'groupName',
  'beginDate',
  'endDate',
])

const views = [
  { id: '', name: '当前', filter: { current: true } },
  { id: 'all', name: '全部', filter: {} },
]

/** 考勤单元: who belongs to which group, from when to when. */
export default function UnitPage() {
  const [isAdding, setAdding] = useState(false)
  const [ended, end] = useState<EndedMembers>()
  const { edit } = menu.group.permissions
  return (
    <>
      <ListPage
        list={listMembers}
        itemName="考勤组人员"
        columns={columns}
        views={views}
        barFilters={['groupId']}
        primaryAction={{ label: '添加人员', needs: edit, run: () => setAdding(true) }}
        rowActions={(member: AttendanceMember) => [
          {
            label: '移出',
            needs: edit,
            disabledReason: member.endDate === undefined ? undefined : '已移出',
            run: () => end({ ids: [String(member.id)], title: member.staffName ?? '' }),
          },
        ]}
        batchActions={[
          { label: '移出', needs: edit, run: ({ ids }) => end({ ids, title: `${ids.length} 人` }) },
        ]}
      />
      {isAdding && <AddMembersDialog onClose={() => setAdding(false)} />}
      {ended && <EndMembersDialog record={ended} onClose={() => end(undefined)} />}
    </>
  )
}

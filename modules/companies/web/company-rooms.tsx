import { useMemo, useState } from 'react'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { Status } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/date-format.ts'
import {
  addCompanyRooms,
  deleteCompanyRooms,
  listCompanyRooms,
  type Company,
  type CompanyRoom,
} from '../contract/company.ts'
import { menu } from '../module.ts'
import { CompanyRoomsControl } from './company-rooms-control.tsx'
import { toRoomDrafts } from './room-drafts.ts'

const isOver = (r: CompanyRoom): boolean => r.endDate !== undefined && r.endDate < today()

const returnRoomsAction = createReasonAction<CompanyRoom>(deleteCompanyRooms, {
  label: '退房',
  unit: '个房间',
  nameOf: r => r.roomPath ?? '',
  consequences: ['在用的房间今天起退还，房间没有别人使用时变为空置', '未开始的租用直接取消'],
  reasonPresets: ['到期不续租', '更换房间', '录入有误'],
  disabledReason: r => (isOver(r) ? `租用已于 ${r.endDate} 结束` : undefined),
})

const listColumns = buildColumns(listCompanyRooms.output, [
  { key: 'roomPath', identity: true, width: 140 },
  'beginDate',
  { key: 'endDate', title: '止' },
  'area',
  'usage',
  {
    key: 'now',
    title: '情况',
    width: 92,
    render: r =>
      isOver(r) ? (
        <Status tone="off">已结束</Status>
      ) : r.beginDate > today() ? (
        <Status tone="todo">未开始</Status>
      ) : (
        <Status tone="done">在用</Status>
      ),
    text: r => (isOver(r) ? '已结束' : r.beginDate > today() ? '未开始' : '在用'),
  },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'live', name: '在用', filter: { live: true } },
]

const groups = [{ keys: [{ key: 'places', control: CompanyRoomsControl, wide: true }] }]

function AddRoomsDialog({ to, onClose }: { readonly to: Company; readonly onClose: () => void }) {
  const go = useSend(addCompanyRooms, { quiet: true })
  const initial = useMemo(() => ({ companyId: to.id, projectCode: to.projectCode }), [to])
  return (
    <EditDialog
      shape={addCompanyRooms.input}
      title={`添加房间「${to.name}」`}
      groups={groups}
      initial={initial}
      submitLabel="添加房间"
      presentation="drawer"
      save={v => go.mutateAsync({ companyId: to.id, places: toRoomDrafts(v.places) })}
      onClose={onClose}
      onDone={added => {
        toast.success(`已添加 ${Array.isArray(added) ? added.length : 0} 个房间`)
        onClose()
      }}
    />
  )
}

/** The rooms of a company, those it had before as well. */
export function CompanyRoomList({ of }: { readonly of: Company }) {
  // Of the company's own project, whichever is chosen above.
  const [adding, setAdding] = useState(false)
  const fixed = useMemo(
    () => ({ companyId: [String(of.id)], projectCode: of.projectCode }),
    [of.id, of.projectCode],
  )
  return (
    <>
      <ListPage
        embedded
        list={listCompanyRooms}
        itemName="房间"
        settingsKey="companies/rooms"
        columns={listColumns}
        fixedFilter={fixed}
        filters={[]}
        views={views}
        isDimmed={isOver}
        rowActions={r => [returnRoomsAction.row(r)]}
        batchActions={[returnRoomsAction.batch]}
        unselectableReason={r => (isOver(r) ? '租用已结束' : undefined)}
        primaryAction={
          of.state === 'gone'
            ? false
            : { label: '添加房间', needs: menu.company.permissions.edit, run: () => setAdding(true) }
        }
      />
      {adding && <AddRoomsDialog to={of} onClose={() => setAdding(false)} />}
    </>
  )
}

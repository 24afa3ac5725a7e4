import { useState } from 'react'
import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { today } from '#kit/web/date-format.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { Status } from '#kit/web/status.tsx'
import { addCompanyRooms, companyRooms, type Company, type CompanyRoom } from '../contract/company.ts'
import { menu } from '../module.ts'
import { CompanyRoomsControl } from './company-rooms-control.tsx'

const isOver = (r: CompanyRoom): boolean => r.endDate !== undefined && r.endDate < today()

const situationOf = (room: CompanyRoom) => {
  if (isOver(room)) return { tone: 'off', text: '已结束' } as const
  return room.beginDate > today()
    ? ({ tone: 'todo', text: '未开始' } as const)
    : ({ tone: 'done', text: '在用' } as const)
}

const { model } = crudPages(companyRooms, {
  unit: '个房间',
  itemName: '房间',
  nameOf: r => r.roomPath ?? '',
  deletion: {
    label: '退房',
    consequences: ['在用的房间今天起退还，房间没有他人使用时变为空置', '未开始的租用直接取消'],
    reasons: ['到期不续租', '更换房间', '录入有误'],
    disabledReason: r => (isOver(r) ? `租用已于 ${r.endDate} 结束` : undefined),
  },
  columns: [
    { key: 'roomPath', identity: true, width: 140 },
    'beginDate',
    'endDate',
    'area',
    'usage',
    {
      key: 'now',
      title: '情况',
      width: 92,
      render: r => <Status tone={situationOf(r).tone}>{situationOf(r).text}</Status>,
      text: r => situationOf(r).text,
    },
  ],
  list: {
    embedded: true,
    settingsKey: 'companies/rooms',
    filters: [],
    views: [
      { id: '', name: '全部', filter: {} },
      { id: 'live', name: '在用', filter: { onlyCurrent: true } },
    ],
    isDimmed: isOver,
    unselectableReason: r => (isOver(r) ? '租用已结束' : undefined),
  },
  drawer: false,
})

const AddRoomsDialog = actionDialog({
  call: addCompanyRooms,
  title: (to: Company) => `添加房间「${to.name}」`,
  submitLabel: '添加房间',
  keys: [{ key: 'places', control: CompanyRoomsControl }],
  target: ({ id }) => ({ companyId: id }),
  context: ({ projectCode }) => ({ projectCode }),
  doneText: (_, added) => `已添加 ${added.length} 个房间`,
  presentation: 'drawer',
})

/** The rooms of a company, those it had before as well; of its own project, whichever is chosen above. */
export function CompanyRoomList({ of }: { readonly of: Company }) {
  const [adding, setAdding] = useState(false)
  const add = { label: '添加房间', needs: menu.company.permissions.edit, run: () => setAdding(true) }
  return (
    <CrudList
      model={model}
      extras={{ dialogs: adding && <AddRoomsDialog record={of} onClose={() => setAdding(false)} /> }}
      list={{
        fixedFilter: { companyId: [String(of.id)], projectCode: of.projectCode },
        primaryAction: of.state !== 'movedOut' && add,
      }}
    />
  )
}

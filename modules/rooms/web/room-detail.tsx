import { useState } from 'react'
import { useNavigate } from 'react-router'
import { withReason } from '#kit/web/acts.ts'
import { screenVerb } from '#kit/web/screen-verb.ts'
import { columns } from '#kit/web/columns.tsx'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Status } from '#kit/web/status.tsx'
import { cancelChanges, listChanges, type RoomChange } from '../contract/change.ts'
import { room, type Room } from '../contract/room.ts'
import { menu } from '../module.ts'
import { AreaDialog } from './area-dialog.tsx'
import { groupsOf } from './groups.ts'
import { kinds, oneById, type KindName, type RoomRow } from './kinds.ts'
import { RoomSections } from './panel.tsx'
import { StateDialog } from './state-dialog.tsx'
import { StateWord } from './state-word.tsx'

const changes = columns(listChanges.output, [
  { key: 'item', identity: true },
  { key: 'oldValue', width: 110 },
  { key: 'newValue', width: 110 },
  'effectiveDate',
  {
    key: 'applied',
    title: '状态',
    width: 92,
    render: c => (c.applied ? <Status tone="done">已生效</Status> : <Status tone="todo">待生效</Status>),
    text: c => (c.applied ? '已生效' : '待生效'),
  },
  'reason',
  'operatorName',
  { key: 'createTime', title: '登记时间' },
])

const cancel = withReason<RoomChange>(cancelChanges, {
  verb: '撤销',
  what: '条变更',
  name: c => `${c.effectiveDate} 起的变更`,
  presets: ['登记有误', '不再变更'],
  why: c => (c.applied ? '已经生效，不能撤销；请另做一次变更' : undefined),
})

const views = [
  { id: '', name: '全部变更', filter: {} },
  { id: 'coming', name: '待生效', filter: { applied: false } },
]

/** What was and what is to come (BASE-7); what has not come may be taken back. */
const Changes = ({ room: r }: { readonly room: Room }) => (
  <ListPage
    embedded
    list={listChanges}
    what="变更"
    name="rooms/changes"
    columns={changes}
    fixed={{ roomId: r.id }}
    filters={['item', 'effectiveDate', 'applied']}
    bar={['item']}
    views={views}
    row={c => [cancel.row(c)]}
    batch={[cancel.batch]}
    untickable={c => (c.applied ? '已经生效，不能撤销' : undefined)}
  />
)

function DetailOf({ kind }: { readonly kind: KindName }) {
  const navigate = useNavigate()
  const k = kinds[kind]
  const [open, setOpen] = useState<{ readonly what: 'state' | 'area'; readonly room: Room }>()
  const close = (): void => setOpen(undefined)
  const below =
    open?.what === 'area' ? (
      <AreaDialog room={open.room} onClose={close} />
    ) : open ? (
      <StateDialog rooms={[open.room as RoomRow]} what={k.what} onClose={close} />
    ) : undefined
  return (
    <DetailPage
      one={oneById}
      title={r => r.path}
      status={r => <StateWord state={r.roomState} />}
      groups={groupsOf(kind)}
      history={room.name}
      below={below}
      tabs={[
        { key: 'all', label: '一房一档', body: r => <RoomSections id={r.id} /> },
        { key: 'changes', label: '面积与房态变更', body: r => <Changes room={r} /> },
      ]}
      verbs={r => [
        { label: '编辑', may: menu.room.may.edit, run: () => navigate(`${k.edit}?id=${r.id}`) },
        { label: '变更房态', may: menu.room.may.state, run: () => setOpen({ what: 'state', room: r }) },
        { label: '变更面积', may: menu.room.may.area, run: () => setOpen({ what: 'area', room: r }) },
        screenVerb(k.scale, { codes: r.code, project: r.projectCode }, '收费标准'),
        {
          label: '在房态图中查看',
          run: () => navigate(`/service/data/roomboard?building=${r.buildCode}&room=${r.id}`),
        },
      ]}
    />
  )
}

export const RoomDetailPage = () => <DetailOf kind="room" />
export const ShopDetailPage = () => <DetailOf kind="shop" />

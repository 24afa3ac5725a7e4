import { useState } from 'react'
import { useNavigate } from 'react-router'
import { columns } from '#kit/web/columns.tsx'
import { count } from '#kit/web/figure.tsx'
import { later } from '#kit/web/later.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { Choice, Status } from '#kit/web/status.tsx'
import type { Verbs } from '#kit/web/verb.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { statistics } from '../contract/care.ts'
import { listResidents, oneResident, resident, type Resident } from '../contract/resident.ts'
import { exportResidents, importResidents } from '../contract/transfer.ts'
import { residentState } from '../contract/words.ts'
import { menu } from '../module.ts'
import { homeWords } from './home-words.ts'
import { shownGroups } from './groups.ts'
import { places, seeResident } from './places.ts'
import { removeResidents } from './remove.ts'
import './residents.css'

const MergeDialog = later(() => import('./merge.tsx').then(m => m.MergeDialog))
const MobileDialog = later(() => import('./care-dialogs.tsx').then(m => m.MobileDialog))
const BlockDialog = later(() => import('./care-dialogs.tsx').then(m => m.BlockDialog))

const shown = columns(listResidents.output, [
  { key: 'name', identity: true },
  'mobile',
  {
    key: 'homes',
    title: '房屋',
    width: 220,
    grow: 1,
    align: 'left',
    render: r => homeWords(r.homes),
    text: r => homeWords(r.homes),
  },
  { key: 'gender', drop: 1 },
  { key: 'tags', drop: 2 },
  { key: 'wechatBind', drop: 2 },
  { key: 'isBlock', aside: true },
  { key: 'estateName', aside: true },
  { key: 'source', aside: true },
  { key: 'createTime', title: '登记时间', drop: 1 },
  'state',
])

const views = [
  { id: '', name: '全部住户', filter: {} },
  { id: 'living', name: '在住', filter: { status: ['living'] } },
  { id: 'owner', name: '业主', filter: { relation: ['owner'] } },
  { id: 'tenant', name: '租户', filter: { relation: ['tenant'] } },
  { id: 'pending', name: '待审核', filter: { status: ['pending'] } },
  { id: 'left', name: '已迁出', filter: { status: ['left'] } },
  { id: 'homeless', name: '无房屋', filter: { homeless: true } },
  { id: 'block', name: '黑名单', filter: { isBlock: true } },
]

/** The figures of the chosen project over the list. */
function Figures({ project }: { readonly project: string | undefined }) {
  const s = useCall(statistics, project ? { projectCode: project } : {}, { quiet: true, keep: true }).data
  if (!s) return null
  const figures = [
    ['住户', s.people],
    ['有人的房间', s.rooms],
    ['业主', s.owners],
    ['租户', s.tenants],
    ['待审核', s.pending],
    ['有手机号', s.withMobile],
    ['微信绑定', s.wechat],
    ['黑名单', s.blocked],
  ] as const
  return (
    <div className="resident-figures" aria-label="住户统计">
      {figures.map(([k, n]) => (
        <span key={k}>
          {k} <b>{count(n)}</b>
        </span>
      ))}
    </div>
  )
}

type Open = { readonly what: 'mobile' | 'block'; readonly of: Resident }

export default function ResidentsPage() {
  const navigate = useNavigate()
  const project = useProject()
  const may = usePermission()
  const [merging, setMerging] = useState<readonly Resident[]>()
  const [open, setOpen] = useState<Open>()
  const close = (): void => setOpen(undefined)
  const verbs = (r: Resident): Verbs => [
    { label: '编辑', may: menu.resident.may.edit, run: () => navigate(`${places.edit}?id=${r.id}`) },
    { label: '入住', may: menu.resident.may.add, run: () => navigate(`${places.moveIn}?user=${r.id}`) },
    { label: '变更手机号', may: menu.resident.may.mobile, run: () => setOpen({ what: 'mobile', of: r }) },
    {
      label: r.isBlock ? '移出黑名单' : '加入黑名单',
      may: menu.block.may.edit,
      run: () => setOpen({ what: 'block', of: r }),
    },
  ]
  const see = { may: menu.resident.may.view, label: '查看详情' }
  return (
    <>
      <ListPage
        list={listResidents}
        what="住户"
        sought="姓名/手机/房间/拼音"
        columns={shown}
        filters={[
          'relation',
          'status',
          'isMain',
          'isBlock',
          'homeless',
          'tag',
          'gender',
          'userType',
          'birthday',
          'wechatBind',
          'source',
          'state',
          'createTime',
        ]}
        bar={['relation', 'status']}
        views={views}
        above={may(menu.resident.may.view) && <Figures project={project} />}
        import={project ? importResidents : undefined}
        importGiven={{ projectCode: project }}
        export={exportResidents}
        primary={{ label: '新增住户', may: menu.resident.may.add, run: () => navigate(places.add) }}
        tools={[
          { label: '住户入住', may: menu.resident.may.add, run: () => navigate(places.moveIn) },
          { label: '合并重复住户', may: menu.resident.may.merge, run: () => navigate(places.merge) },
        ]}
        row={r => [...verbs(r), { ...see, run: () => navigate(seeResident(r.id)) }, removeResidents.row(r)]}
        batch={[
          {
            label: '合并',
            may: menu.resident.may.merge,
            why: t =>
              t.whole || t.count > 20
                ? '一次最多合并 20 位，请只勾选同一个人'
                : t.count < 2
                  ? '请勾选两位以上'
                  : undefined,
            run: t => setMerging(t.rows),
          },
          removeResidents.batch,
        ]}
        dim={r => r.state === 'gone'}
        drawer={{
          title: r => r.name,
          status: r =>
            r.isBlock ? <Status tone="bad">黑名单</Status> : <Choice of={residentState} value={r.state} />,
          one: oneResident,
          groups: shownGroups,
          history: resident.name,
          page: r => void navigate(seeResident(r.id)),
          verbs: r => [
            ...verbs(r),
            { ...see, run: () => navigate(seeResident(r.id)) },
            removeResidents.row(r),
          ],
        }}
      />
      {merging && <MergeDialog people={merging} onClose={() => setMerging(undefined)} />}
      {open?.what === 'mobile' && <MobileDialog of={open.of} onClose={close} />}
      {open?.what === 'block' && <BlockDialog of={open.of} onClose={close} />}
    </>
  )
}

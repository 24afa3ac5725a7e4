import { useState } from 'react'
import { useNavigate } from 'react-router'
import { buildColumns } from '#kit/web/columns.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { getResidentStatistics } from '../contract/maintenance.ts'
import { listResidents, getResident, resident, type Resident } from '../contract/resident.ts'
import { exportResidents, importResidents } from '../contract/import-export.ts'
import { residentState } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { formatHomes } from './home-labels.ts'
import { detailGroups } from './resident-groups.ts'
import { paths, residentPath } from './paths.ts'
import { deleteResidentsAction } from './delete-residents-action.ts'
import './residents.css'

const MergeDialog = lazyComponent(() => import('./resident-merge.tsx').then(m => m.MergeDialog))
const MobileDialog = lazyComponent(() => import('./resident-dialogs.tsx').then(m => m.MobileDialog))
const BlockDialog = lazyComponent(() => import('./resident-dialogs.tsx').then(m => m.BlockDialog))

const listColumns = buildColumns(listResidents.output, [
  { key: 'name', identity: true },
  'mobile',
  {
    key: 'homes',
    title: '房屋',
    width: 220,
    grow: 1,
    align: 'left',
    render: r => formatHomes(r.homes),
    text: r => formatHomes(r.homes),
  },
  { key: 'gender', hidePriority: 1 },
  { key: 'tags', hidePriority: 2 },
  { key: 'wechatBind', hidePriority: 2 },
  { key: 'isBlock', hiddenByDefault: true },
  { key: 'estateName', hiddenByDefault: true },
  { key: 'source', hiddenByDefault: true },
  { key: 'createTime', title: '登记时间', hidePriority: 1 },
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
function StatisticsBar({ project }: { readonly project: string | undefined }) {
  const s = useCall(getResidentStatistics, project ? { projectCode: project } : {}, {
    quiet: true,
    keepPrevious: true,
  }).data
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
          {k} <b>{formatCount(n)}</b>
        </span>
      ))}
    </div>
  )
}

type OpenDialog = { readonly what: 'mobile' | 'block'; readonly of: Resident }

export default function ResidentsPage() {
  const navigate = useNavigate()
  const project = useProject()
  const may = usePermission()
  const [merging, setMerging] = useState<readonly Resident[]>()
  const [open, setOpen] = useState<OpenDialog>()
  const close = (): void => setOpen(undefined)
  const verbs = (r: Resident): Actions => [
    { label: '编辑', needs: menu.resident.permissions.edit, run: () => navigate(`${paths.edit}?id=${r.id}`) },
    {
      label: '入住',
      needs: menu.resident.permissions.add,
      run: () => navigate(`${paths.moveIn}?user=${r.id}`),
    },
    {
      label: '变更手机号',
      needs: menu.resident.permissions.mobile,
      run: () => setOpen({ what: 'mobile', of: r }),
    },
    {
      label: r.isBlock ? '移出黑名单' : '加入黑名单',
      needs: menu.block.permissions.edit,
      run: () => setOpen({ what: 'block', of: r }),
    },
  ]
  const see = { needs: menu.resident.permissions.view, label: '查看详情' }
  return (
    <>
      <ListPage
        list={listResidents}
        itemName="住户"
        keywordPlaceholder="姓名/手机/房间/拼音"
        columns={listColumns}
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
        barFilters={['relation', 'status']}
        views={views}
        belowToolbar={may(menu.resident.permissions.view) && <StatisticsBar project={project} />}
        import={project ? importResidents : undefined}
        importInput={{ projectCode: project }}
        export={exportResidents}
        primaryAction={{
          label: '新增住户',
          needs: menu.resident.permissions.add,
          run: () => navigate(paths.add),
        }}
        toolbarActions={[
          { label: '住户入住', needs: menu.resident.permissions.add, run: () => navigate(paths.moveIn) },
          { label: '合并重复住户', needs: menu.resident.permissions.merge, run: () => navigate(paths.merge) },
        ]}
        rowActions={r => [
          ...verbs(r),
          { ...see, run: () => navigate(residentPath(r.id)) },
          deleteResidentsAction.row(r),
        ]}
        batchActions={[
          {
            label: '合并',
            needs: menu.resident.permissions.merge,
            disabledReason: t =>
              t.allMatching || t.count > 20
                ? '一次最多合并 20 位，请只勾选同一个人'
                : t.count < 2
                  ? '请勾选两位以上'
                  : undefined,
            run: t => setMerging(t.rows),
          },
          deleteResidentsAction.batch,
        ]}
        isDimmed={r => r.state === 'gone'}
        drawer={{
          title: r => r.name,
          status: r =>
            r.isBlock ? (
              <Status tone="bad">黑名单</Status>
            ) : (
              <ChoiceStatus choices={residentState} value={r.state} />
            ),
          loadCall: getResident,
          groups: detailGroups,
          historyEntity: resident.name,
          openAsPage: r => void navigate(residentPath(r.id)),
          actions: r => [
            ...verbs(r),
            { ...see, run: () => navigate(residentPath(r.id)) },
            deleteResidentsAction.row(r),
          ],
        }}
      />
      {merging && <MergeDialog people={merging} onClose={() => setMerging(undefined)} />}
      {open?.what === 'mobile' && <MobileDialog of={open.of} onClose={close} />}
      {open?.what === 'block' && <BlockDialog of={open.of} onClose={close} />}
    </>
  )
}

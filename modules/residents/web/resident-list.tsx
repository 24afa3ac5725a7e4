import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
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
import { bindStandardsAction, paths, residencyPath, residentPath } from './paths.ts'
import { deleteResidentsAction } from './delete-residents-action.ts'
import './residents.css'

const MergeDialog = lazyComponent(() => import('./resident-merge.tsx').then(m => m.MergeDialog))
const PanelSections = lazyComponent(() => import('./panel-sections.tsx').then(m => m.PanelSections))
const MobileDialog = lazyComponent(() => import('./resident-dialogs.tsx').then(m => m.MobileDialog))
const AskedMobile = lazyComponent(() => import('./asked-mobile.tsx').then(m => m.AskedMobile))
const BlockDialog = lazyComponent(() => import('./resident-dialogs.tsx').then(m => m.BlockDialog))

const listColumns = buildColumns(listResidents.output, [
  { key: 'name', identity: true },
  'mobile',
  {
    key: 'homes',
    width: 220,
    grow: 1,
    align: 'left',
    render: person => formatHomes(person.homes),
    text: person => formatHomes(person.homes),
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
  { id: 'living', name: '在住', filter: { status: ['living'], movedIn: true } },
  { id: 'owner', name: '业主', filter: { status: ['living'], relation: ['owner'] } },
  { id: 'tenant', name: '租户', filter: { status: ['living'], relation: ['tenant'] } },
  { id: 'pending', name: '待审核', filter: { status: ['pending'] } },
  { id: 'notMovedIn', name: '未入住', filter: { status: ['living'], movedIn: false } },
  { id: 'left', name: '已迁出', filter: { status: ['left'] } },
  { id: 'homeless', name: '无房屋', filter: { withoutHome: true } },
  { id: 'block', name: '黑名单', filter: { isBlock: true } },
]

/**
 * The figures of the chosen project over the list: each counts what the view of the same name lists. They
 * have their place before they are known.
 */
function StatisticsBar({ project }: { readonly project: string | undefined }) {
  const statistics = useCall(getResidentStatistics, project ? { projectCode: project } : {}, {
    quiet: true,
    keepPrevious: true,
  }).data
  const figures = [
    ['在住', statistics?.people],
    ['入住房间', statistics?.rooms],
    ['业主', statistics?.owners],
    ['租户', statistics?.tenants],
    ['待审核', statistics?.pending],
    ['在住有手机号', statistics?.withMobile],
    ['在住绑定微信', statistics?.wechat],
  ] as const
  return (
    <div className="resident-figures" aria-label="住户统计">
      {figures.map(([label, count]) => (
        <span key={label}>
          {label} <b>{count === undefined ? '--' : formatCount(count)}</b>
        </span>
      ))}
    </div>
  )
}

type OpenDialog = { readonly kind: 'mobile' | 'block'; readonly resident: Resident }

const filters = [
  'relation',
  'status',
  'isMain',
  'isBlock',
  'movedIn',
  'withoutHome',
  'tag',
  'gender',
  'userType',
  'birthday',
  'wechatBind',
  'source',
  'state',
  'createTime',
] as const

export default function ResidentsPage() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const project = useProject()
  const hasPermission = usePermission()
  const [merging, setMerging] = useState<readonly Resident[]>()
  const [dialog, setDialog] = useState<OpenDialog>()
  const closeDialog = (): void => setDialog(undefined)
  const personActions = (person: Resident): Actions => [
    {
      label: '编辑',
      needs: menu.resident.permissions.edit,
      run: () => navigate(`${paths.edit}?id=${person.id}`),
    },
    {
      label: '入住',
      needs: menu.resident.permissions.add,
      run: () => navigate(`${paths.moveIn}?user=${person.id}`),
    },
    {
      label: '过户与迁出',
      needs: menu.link.permissions.transfer,
      run: () => navigate(residencyPath(person.id)),
    },
    {
      label: '变更手机号',
      needs: menu.resident.permissions.mobile,
      run: () => setDialog({ kind: 'mobile', resident: person }),
    },
    {
      label: person.isBlock ? '移出黑名单' : '加入黑名单',
      needs: menu.block.permissions.edit,
      run: () => setDialog({ kind: 'block', resident: person }),
    },
  ]
  const detailAction = { needs: menu.resident.permissions.view, label: '查看详情' }
  return (
    <>
      <ListPage
        list={listResidents}
        itemName="住户"
        keywordPlaceholder="姓名/手机/房间/拼音"
        columns={listColumns}
        filters={filters}
        barFilters={['relation', 'status']}
        views={views}
        belowToolbar={hasPermission(menu.resident.permissions.view) && <StatisticsBar project={project} />}
        import={project ? importResidents : undefined}
        importInput={{ projectCode: project }}
        afterImport={bindStandardsAction()}
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
        rowActions={person => [
          ...personActions(person),
          { ...detailAction, run: () => navigate(residentPath(person.id)) },
          deleteResidentsAction.row(person),
        ]}
        batchActions={[
          {
            label: '合并',
            needs: menu.resident.permissions.merge,
            disabledReason: selection =>
              selection.allMatching || selection.count > 20
                ? '一次最多合并 20 位，请只勾选同一个人'
                : selection.count < 2
                  ? '请勾选两位以上'
                  : undefined,
            run: selection => setMerging(selection.rows),
          },
          deleteResidentsAction.batch,
        ]}
        isDimmed={person => person.state === 'cancelled'}
        drawer={{
          title: person => person.name,
          status: person =>
            person.isBlock ? (
              <Status tone="bad">黑名单</Status>
            ) : (
              <ChoiceStatus choices={residentState} value={person.state} />
            ),
          loadCall: getResident,
          groups: detailGroups,
          afterGroups: person => <PanelSections id={person.id} />,
          historyEntity: resident.name,
          openAsPage: person => void navigate(residentPath(person.id)),
          actions: person => [
            ...personActions(person),
            { ...detailAction, run: () => navigate(residentPath(person.id)) },
            deleteResidentsAction.row(person),
          ],
        }}
      />
      {params.get('do') === 'mobile' && <AskedMobile />}
      {merging && <MergeDialog people={merging} onClose={() => setMerging(undefined)} />}
      {dialog?.kind === 'mobile' && <MobileDialog resident={dialog.resident} onClose={closeDialog} />}
      {dialog?.kind === 'block' && <BlockDialog resident={dialog.resident} onClose={closeDialog} />}
    </>
  )
}

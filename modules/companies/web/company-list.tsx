import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { usePermission } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import {
  company,
  companyState,
  deleteCompanies,
  listCompanies,
  getCompany,
  type Company,
} from '../contract/company.ts'
import { exportCompanies, importCompanies } from '../contract/import-export.ts'
import { menu } from '../module.ts'
import { detailGroups } from './company-groups.ts'
import { moveOutPath, paths, companyPath } from './paths.ts'

const ImportState = lazyComponent(() => import('./import-state-dialog.tsx').then(m => m.ImportStateDialog))
const QrDialog = lazyComponent(() => import('./qr-dialog.tsx').then(m => m.QrDialog))

export const deleteCompanyAction = createReasonAction<Company>(deleteCompanies, {
  unit: '家企业',
  nameOf: c => c.name,
  consequences: ['有房间或在职员工的企业不能删除，请办理迁出'],
  reasonPresets: ['录入有误', '重复录入'],
})

/** The first room and how many more: `A-1-801 等 4 间`. */
const roomsLabel = (c: Company): string =>
  c.rooms?.length ? `${c.rooms[0]}${c.rooms.length > 1 ? ` 等 ${c.rooms.length} 间` : ''}` : '--'

const listColumns = buildColumns(listCompanies.output, [
  { key: 'name', identity: true, grow: 2 },
  { key: 'companyNo', hidePriority: 3 },
  {
    key: 'rooms',
    title: '房间',
    width: 158,
    grow: 1,
    render: c => roomsLabel(c),
    text: c => c.rooms?.join('、') ?? '',
  },
  'area',
  { key: 'workers', title: '员工' },
  { key: 'contactName', hidePriority: 1 },
  { key: 'contactPhone', fitContent: true },
  { key: 'industry', hidePriority: 3 },
  { key: 'inDate', hidePriority: 1 },
  { key: 'outDate', title: '迁出日期', hiddenByDefault: true },
  { key: 'staffCount', hiddenByDefault: true },
  'state',
])

const views = [
  { id: '', name: '在驻', filter: { state: ['here'] } },
  { id: 'gone', name: '已迁出', filter: { state: ['gone'] } },
  { id: 'all', name: '全部', filter: { state: ['here', 'gone', 'pending'] } },
]

/** What can be done with a company besides editing it; shared by list and detail. */
export function useCompanyActions(): { readonly verbs: (c: Company) => Actions; readonly dialog: ReactNode } {
  const navigate = useNavigate()
  const [qr, setQr] = useState<Company>()
  return {
    verbs: c => [
      {
        label: '编辑',
        needs: menu.company.permissions.edit,
        run: () => navigate(`${paths.edit}?id=${c.id}`),
      },
      ...(c.state === 'gone'
        ? []
        : [
            { label: '二维码', needs: menu.worker.permissions.view, run: () => setQr(c) },
            {
              label: '迁出',
              needs: menu.company.permissions.moveOut,
              run: () => navigate(moveOutPath(c.id)),
            },
          ]),
      deleteCompanyAction.row(c),
    ],
    dialog: qr ? <QrDialog of={qr} onClose={() => setQr(undefined)} /> : null,
  }
}

export default function CompaniesPage() {
  const navigate = useNavigate()
  const project = useProject()
  const may = usePermission()
  const [progress, setProgress] = useState(false)
  const { verbs, dialog } = useCompanyActions()
  const see = (c: Company) => ({
    label: '查看详情',
    needs: menu.company.permissions.view,
    run: () => navigate(companyPath(c.id)),
  })
  return (
    <>
      <ListPage
        list={listCompanies}
        itemName="企业"
        columns={listColumns}
        filters={['state', 'industry', 'inDate', 'createTime']}
        barFilters={[]}
        views={views}
        import={project ? importCompanies : undefined}
        importInput={{ projectCode: project }}
        export={exportCompanies}
        primaryAction={{
          label: '新增企业',
          needs: menu.company.permissions.add,
          run: () => navigate(paths.add),
        }}
        toolbarActions={[
          { label: '导入进度', needs: menu.company.permissions.import, run: () => setProgress(true) },
          may(menu.company.permissions.export) && { label: '按条件导出', run: () => navigate(paths.export) },
        ]}
        rowActions={c => {
          const [edit, ...rest] = verbs(c)
          return [edit, see(c), ...rest]
        }}
        batchActions={[deleteCompanyAction.batch]}
        isDimmed={c => c.state === 'gone'}
        drawer={{
          title: c => c.name,
          status: c => <ChoiceStatus choices={companyState} value={c.state} />,
          loadCall: getCompany,
          groups: detailGroups,
          historyEntity: company.name,
          openAsPage: c => void navigate(companyPath(c.id)),
          actions: c => {
            const [edit, ...rest] = verbs(c)
            return [edit, see(c), ...rest]
          },
        }}
      />
      {dialog}
      {progress && <ImportState onClose={() => setProgress(false)} />}
    </>
  )
}

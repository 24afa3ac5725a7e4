import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { later } from '#kit/web/later.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { usePermission } from '#kit/web/session.ts'
import { Choice } from '#kit/web/status.tsx'
import type { Verbs } from '#kit/web/verb.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import {
  company,
  companyState,
  deleteCompanies,
  listCompanies,
  oneCompany,
  type Company,
} from '../contract/company.ts'
import { exportCompanies, importCompanies } from '../contract/transfer.ts'
import { menu } from '../module.ts'
import { shownGroups } from './groups.ts'
import { moveOutOf, places, seeCompany } from './places.ts'

const ImportState = later(() => import('./import-state.tsx').then(m => m.ImportState))
const QrDialog = later(() => import('./qr-dialog.tsx').then(m => m.QrDialog))

export const removeCompany = withReason<Company>(deleteCompanies, {
  what: '家企业',
  name: c => c.name,
  follows: ['有房间或在职员工的企业不能删除，请办理迁出'],
  presets: ['录入有误', '重复录入'],
})

/** The first room and how many more: `A-1-801 等 4 间`. */
const roomWords = (c: Company): string =>
  c.rooms?.length ? `${c.rooms[0]}${c.rooms.length > 1 ? ` 等 ${c.rooms.length} 间` : ''}` : '--'

const shown = columns(listCompanies.output, [
  { key: 'name', identity: true, grow: 2 },
  { key: 'companyNo', drop: 3 },
  {
    key: 'rooms',
    title: '房间',
    width: 158,
    grow: 1,
    render: c => roomWords(c),
    text: c => c.rooms?.join('、') ?? '',
  },
  'area',
  { key: 'workers', title: '员工' },
  { key: 'contactName', drop: 1 },
  { key: 'contactPhone', fit: true },
  { key: 'industry', drop: 3 },
  { key: 'inDate', drop: 1 },
  { key: 'outDate', title: '迁出日期', aside: true },
  { key: 'staffCount', aside: true },
  'state',
])

const views = [
  { id: '', name: '在驻', filter: { state: ['here'] } },
  { id: 'gone', name: '已迁出', filter: { state: ['gone'] } },
  { id: 'all', name: '全部', filter: { state: ['here', 'gone', 'pending'] } },
]

/** What can be done with a company besides editing it; shared by list and detail. */
export function useCompanyVerbs(): { readonly verbs: (c: Company) => Verbs; readonly dialog: ReactNode } {
  const navigate = useNavigate()
  const [qr, setQr] = useState<Company>()
  return {
    verbs: c => [
      { label: '编辑', may: menu.company.may.edit, run: () => navigate(`${places.edit}?id=${c.id}`) },
      ...(c.state === 'gone'
        ? []
        : [
            { label: '二维码', may: menu.worker.may.view, run: () => setQr(c) },
            { label: '迁出', may: menu.company.may.moveOut, run: () => navigate(moveOutOf(c.id)) },
          ]),
      removeCompany.row(c),
    ],
    dialog: qr ? <QrDialog of={qr} onClose={() => setQr(undefined)} /> : null,
  }
}

export default function CompaniesPage() {
  const navigate = useNavigate()
  const project = useProject()
  const may = usePermission()
  const [progress, setProgress] = useState(false)
  const { verbs, dialog } = useCompanyVerbs()
  const see = (c: Company) => ({
    label: '查看详情',
    may: menu.company.may.view,
    run: () => navigate(seeCompany(c.id)),
  })
  return (
    <>
      <ListPage
        list={listCompanies}
        what="企业"
        columns={shown}
        filters={['state', 'industry', 'inDate', 'createTime']}
        bar={[]}
        views={views}
        import={project ? importCompanies : undefined}
        importGiven={{ projectCode: project }}
        export={exportCompanies}
        primary={{ label: '新增企业', may: menu.company.may.add, run: () => navigate(places.add) }}
        tools={[
          { label: '导入进度', may: menu.company.may.import, run: () => setProgress(true) },
          may(menu.company.may.export) && { label: '按条件导出', run: () => navigate(places.export) },
        ]}
        row={c => {
          const [edit, ...rest] = verbs(c)
          return [edit, see(c), ...rest]
        }}
        batch={[removeCompany.batch]}
        dim={c => c.state === 'gone'}
        drawer={{
          title: c => c.name,
          status: c => <Choice of={companyState} value={c.state} />,
          one: oneCompany,
          groups: shownGroups,
          history: company.name,
          page: c => void navigate(seeCompany(c.id)),
          verbs: c => {
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

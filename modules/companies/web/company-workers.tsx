import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { sendAndInvalidate, toastResult, createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns, textOf } from '#kit/web/columns.tsx'
import { confirm, confirmDanger } from '#kit/web/confirm.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { BulkResultDialog, useBulkResult } from '#kit/web/bulk-result-dialog.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Action, Actions } from '#kit/web/action.tsx'
import type { Company } from '../contract/company.ts'
import {
  addWorker,
  auditWorkers,
  companyWorker,
  deleteWorkers,
  editWorker,
  listWorkers,
  workerState,
  type CompanyWorker,
} from '../contract/company-worker.ts'
import { menu } from '../module.ts'
import { AdminsDialog } from './admins-dialog.tsx'
import { companyPath } from './paths.ts'
import './companies.css'

const endEmploymentAction = createReasonAction<CompanyWorker>(deleteWorkers, {
  label: '离职',
  unit: '名企业员工',
  nameOf: w => w.name,
  consequences: ['离职后不能再进出该企业的房间，资料保留'],
  reasonPresets: ['已离开该企业', '登记有误'],
  disabledReason: w => (w.state === 'left' ? '已离职' : undefined),
})

const columnEntries = [
  { key: 'name', identity: true },
  'companyId',
  { key: 'mobile', fitContent: true },
  'position',
  {
    key: 'isAdmin',
    width: 76,
    render: (w: CompanyWorker) => (w.isAdmin ? '管理员' : <span className="absent">--</span>),
    text: (w: CompanyWorker) => (w.isAdmin ? '管理员' : ''),
  },
  { key: 'inDate', hidePriority: 1 },
  { key: 'createTime', title: '登记时间', hidePriority: 2 },
  { key: 'outDate', title: '离职日期', hiddenByDefault: true },
  'state',
] as const

const allColumns = buildColumns(listWorkers.output, columnEntries)

const singleCompanyColumns = buildColumns(
  listWorkers.output,
  columnEntries.filter(e => e !== 'companyId'),
)

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pending', name: '待审核', filter: { state: ['pending'] } },
  { id: 'active', name: '在职', filter: { state: ['active'] } },
  { id: 'left', name: '已离职', filter: { state: ['left'] } },
]

const groups = [{ keys: ['companyId', 'name', 'mobile', 'position', 'inDate', { key: 'photo', wide: true }] }]

const detailGroups = [
  {
    keys: [
      'name',
      'companyName',
      'mobile',
      'position',
      'state',
      'isAdmin',
      'inDate',
      { key: 'outDate', label: '离职日期' },
      'photo',
      'createTime',
    ] as never[],
  },
]

const rejectWorkers = (some: readonly CompanyWorker[]): Promise<boolean> =>
  confirmDanger({
    actionLabel: '驳回',
    unit: '个加入申请',
    count: some.length,
    ...(some.length === 1 ? { title: `驳回「${some[0]!.name}」的加入申请` } : {}),
    reason: { presets: ['不是该企业的员工', '照片或姓名不符'] },
    consequences: ['申请人可以重新扫码申请'],
    run: async reason =>
      toastResult(
        await sendAndInvalidate(
          auditWorkers,
          { ids: some.map(w => String(w.id)), pass: false, reason },
          { quiet: true },
        ),
        '已驳回',
      ),
  })

const notPendingFault = (rows: readonly CompanyWorker[]): string | undefined =>
  rows.some(w => w.state !== 'pending') ? '只能勾选待审核的人' : undefined

/**
 * People who work in a company, or in all of them: joined by the picture, audited, made administrators, gone
 * (BASE-16).
 */
export function WorkerList({ of }: { readonly of?: Company }) {
  const navigate = useNavigate()
  const [outcome, show] = useBulkResult()
  const [admins, setAdmins] = useState(false)
  const form = useEdit({
    itemName: '企业员工',
    add: addWorker,
    edit: editWorker,
    isRowComplete: true,
    nameOf: (w: CompanyWorker) => w.name,
    presentation: 'drawer',
    groups: of ? [{ keys: groups[0]!.keys.slice(1) }] : groups,
    ...(of ? { initial: { companyId: of.id, projectCode: of.projectCode } } : {}),
    editDisabledReason: (w: CompanyWorker) => (w.state === 'left' ? '已离职的人不能修改' : undefined),
  })
  const pass = async (some: readonly CompanyWorker[]): Promise<void> => {
    const [one] = some
    if (
      some.length === 1 &&
      !(await confirm({
        title: `通过「${one!.name}」的加入申请`,
        okLabel: '通过',
        text: (
          <div className="worker-audit">
            {one!.photo ? (
              <StoredImages fileKeys={[one!.photo]} size={120} />
            ) : (
              <p className="absent">没有照片</p>
            )}
            <dl>
              <dt>企业</dt>
              <dd>{one!.companyName}</dd>
              <dt>手机</dt>
              <dd>{one!.mobile ? textOf(companyWorker.fields.mobile, one!.mobile) : '--'}</dd>
              <dt>职位</dt>
              <dd>{one!.position ?? '--'}</dd>
            </dl>
          </div>
        ),
      }))
    )
      return
    const b = await sendAndInvalidate(auditWorkers, { ids: some.map(w => String(w.id)), pass: true })
    if (b.fail || b.skipped) {
      show(b)
    } else {
      toastResult(b, '')
    }
  }
  const verbs = (w: CompanyWorker): Actions => [
    ...(w.state === 'pending'
      ? ([
          { label: '通过', needs: menu.worker.permissions.audit, run: () => pass([w]) },
          { label: '驳回', needs: menu.worker.permissions.audit, run: () => rejectWorkers([w]) },
        ] as Action[])
      : []),
    form.editAction(w),
    ...(of
      ? []
      : [
          {
            label: '看企业',
            needs: menu.company.permissions.view,
            run: () => navigate(companyPath(w.companyId)),
          },
        ]),
    endEmploymentAction.row(w),
  ]
  const fixed = useMemo(
    () => (of ? { companyId: [String(of.id)], projectCode: of.projectCode } : {}),
    [of?.id],
  )
  return (
    <>
      <ListPage
        {...(of ? { embedded: true } : {})}
        list={listWorkers}
        itemName="企业员工"
        settingsKey={of ? 'companies/workers' : 'companies/all-workers'}
        columns={of ? singleCompanyColumns : allColumns}
        fixedFilter={fixed}
        filters={of ? ['isAdmin'] : ['companyId', 'isAdmin', 'createTime']}
        barFilters={of ? [] : ['companyId']}
        views={views}
        primaryAction={of?.state === 'gone' ? false : form.addAction}
        toolbarActions={[
          of &&
            of.state !== 'gone' && {
              label: '设置管理员',
              needs: menu.worker.permissions.admin,
              run: () => setAdmins(true),
            },
        ]}
        rowActions={verbs}
        isDimmed={w => w.state === 'left'}
        batchActions={[
          {
            label: '通过',
            needs: menu.worker.permissions.audit,
            disabledReason: t => notPendingFault(t.rows),
            run: t => void pass(t.rows),
          },
          {
            label: '驳回',
            needs: menu.worker.permissions.audit,
            disabledReason: t => notPendingFault(t.rows),
            run: t => void rejectWorkers(t.rows),
          },
          endEmploymentAction.batch,
        ]}
        drawer={{
          title: w => w.name,
          status: w => <ChoiceStatus choices={workerState} value={w.state} />,
          groups: detailGroups,
          historyEntity: companyWorker.name,
          actions: verbs,
        }}
      />
      {form.dialog}
      {outcome && (
        <BulkResultDialog result={outcome} title="审核结果" onClose={() => show(undefined as never)} />
      )}
      {admins && of && <AdminsDialog of={of} onClose={() => setAdmins(false)} />}
    </>
  )
}

export const WorkersPage = () => <WorkerList />

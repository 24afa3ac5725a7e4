import { defined } from '#kit/domain/defined.ts'
import { useState } from 'react'
import type { Id } from '#kit/domain/id.ts'
import { holderLinks } from '#modules/residents/web/public.holder-rights.ts'
import { recordPath } from '#kit/contract/crud-screens.ts'
import { textOf } from '#kit/web/columns.tsx'
import { confirm } from '#kit/web/confirm.tsx'
import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { CrudExtras } from '#kit/web/crud/crud-spec.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { confirmAndSend, sendAndInvalidate } from '#kit/web/record-actions.ts'
import { reportBulkResult } from '#kit/web/report-bulk-result.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import type { Company } from '../contract/company.ts'
import {
  auditWorkers,
  companyWorker,
  companyWorkers,
  type CompanyWorker,
} from '../contract/company-worker.ts'
import { menu, paths } from '../module.ts'
import { AdminsDialog } from './admins-dialog.tsx'
import './companies.css'

const formKeys = ['name', 'mobile', 'position', 'inDate', 'photo']

const rejectWorkers = (some: readonly CompanyWorker[]): Promise<boolean> =>
  confirmAndSend(auditWorkers, {
    actionLabel: '驳回',
    unit: '个加入申请',
    count: some.length,
    ...(some.length === 1 ? { title: `驳回「${defined(some[0]).name}」的加入申请` } : {}),
    reason: { presets: ['不是该企业的员工', '照片或姓名不符'] },
    consequences: ['申请人可以重新扫码申请'],
    input: { ids: some.map(w => String(w.id)), pass: false },
  })

const isPending = (w: CompanyWorker): boolean => w.state === 'pending'

const notPendingFault = (rows: readonly CompanyWorker[]): string | undefined =>
  rows.every(isPending) ? undefined : '只能勾选待审核的人'

/** Who asks to be let in: the face and the words that the application came with. */
const WorkerCard = ({ of: worker }: { readonly of: CompanyWorker }) => (
  <div className="worker-audit">
    {worker.photo ? (
      <StoredImages fileKeys={[worker.photo]} size={120} />
    ) : (
      <p className="absent">暂无照片</p>
    )}
    <dl>
      <dt>企业</dt>
      <dd>{worker.companyName}</dd>
      <dt>手机</dt>
      <dd>{worker.mobile ? textOf(companyWorker.fields.mobile, worker.mobile) : '--'}</dd>
      <dt>职位</dt>
      <dd>{worker.position ?? '--'}</dd>
    </dl>
  </div>
)

/** Lets applicants in; one alone is looked at first. */
async function admitWorkers(some: readonly CompanyWorker[]): Promise<void> {
  const [one] = some
  const isAgreed =
    some.length !== 1 ||
    (await confirm({
      title: `通过「${defined(one).name}」的加入申请`,
      okLabel: '通过',
      text: <WorkerCard of={defined(one)} />,
    }))
  if (!isAgreed) return
  const result = await sendAndInvalidate(auditWorkers, { ids: some.map(w => String(w.id)), pass: true })
  reportBulkResult(result, '审核结果')
}

const { model } = crudPages(companyWorkers, {
  unit: '名企业员工',
  itemName: '企业员工',
  actions: [
    {
      label: '通过',
      needs: menu.worker.permissions.audit,
      isOffered: isPending,
      runAll: admitWorkers,
      batch: notPendingFault,
    },
    {
      label: '驳回',
      needs: menu.worker.permissions.audit,
      isOffered: isPending,
      runAll: rejectWorkers,
      batch: notPendingFault,
    },
  ],
  deletion: {
    label: '离职',
    consequences: [
      '离职后不能再进出该企业的房间，资料保留',
      '在本项目没有其他住所或任职的，门禁卡、人脸、通行码随之失效，再次任职须重新发放',
    ],
    reasons: ['已离开该企业', '登记有误'],
    disabledReason: w => (w.state === 'left' ? '已离职' : undefined),
  },
  columns: [
    { key: 'name', identity: true },
    'companyId',
    { key: 'mobile', fitContent: true },
    'position',
    {
      key: 'isAdmin',
      width: 76,
      render: w => (w.isAdmin ? '管理员' : <span className="absent">--</span>),
      text: w => (w.isAdmin ? '管理员' : ''),
    },
    { key: 'inDate', hidePriority: 1 },
    { key: 'createTime', title: '登记时间', hidePriority: 2 },
    { key: 'outDate', hiddenByDefault: true },
    'state',
  ],
  list: {
    settingsKey: 'companies/all-workers',
    filters: ['companyId', 'isAdmin', 'createTime'],
    barFilters: ['companyId'],
    views: [
      { id: '', name: '全部', filter: {} },
      { id: 'pending', name: '待审核', filter: { state: ['pending'] } },
      { id: 'active', name: '在职', filter: { state: ['active'] } },
      { id: 'left', name: '已离职', filter: { state: ['left'] } },
    ],
  },
  detail: [
    {
      keys: [
        'name',
        'companyName',
        'mobile',
        'position',
        'state',
        'isAdmin',
        'inDate',
        'outDate',
        'photo',
        'createTime',
      ],
    },
  ],
  form: {
    groups: [{ keys: ['companyId', ...formKeys] }],
    presentation: 'drawer',
    editDisabledReason: w => (w.state === 'left' ? '已离职的人不能修改' : undefined),
  },
  // An application is decided first, then its record may be mended.
  arrange: ({ edit, remove }, extra, w) => {
    const decisions = isPending(w) ? 2 : 0
    return [...extra.slice(0, decisions), edit, ...extra.slice(decisions), remove]
  },
})

const singleCompanyColumns = model.columns.filter(c => c.key !== 'companyId')

/**
 * People who work in a company, or in all of them: joined by the picture, audited, made administrators, gone
 * (BASE-16).
 */
export function WorkerList({ of }: { readonly of?: Company }) {
  const [admins, setAdmins] = useState(false)
  const links = holderLinks.useAll()
  const [linksOf, setLinksOf] = useState<{ readonly index: number; readonly userId: Id }>()
  const LinksDialog = linksOf && links[linksOf.index]?.Dialog
  const extras: CrudExtras<CompanyWorker, unknown> = {
    actions: worker => [
      !of && {
        label: '查看企业',
        needs: menu.company.permissions.view,
        run: () => navigateTo(recordPath(paths.detail, worker.companyId)),
      },
      ...links.map(({ label, needs }, index) => {
        const { userId, state } = worker
        return (
          state === 'active' && {
            label,
            needs,
            disabledReason: userId === undefined ? '请先以该手机号登记住户资料，再发送链接' : undefined,
            run: () => userId !== undefined && setLinksOf({ index, userId }),
          }
        )
      }),
    ],
    toolbar: [
      of &&
        of.state !== 'movedOut' && {
          label: '设置管理员',
          needs: menu.worker.permissions.admin,
          run: () => setAdmins(true),
        },
    ],
    dialogs: (
      <>
        {admins && of && <AdminsDialog of={of} onClose={() => setAdmins(false)} />}
        {LinksDialog && <LinksDialog userId={linksOf.userId} onClose={() => setLinksOf(undefined)} />}
      </>
    ),
  }
  return (
    <CrudList
      model={model}
      extras={extras}
      canAdd={of?.state !== 'movedOut'}
      {...(of ? ofCompany(of) : {})}
    />
  )
}

/** The list inside the page of one company: that company is neither asked nor shown. */
const ofCompany = (of: Company) => ({
  initial: { companyId: of.id, projectCode: of.projectCode },
  groups: [{ keys: formKeys }],
  list: {
    embedded: true,
    settingsKey: 'companies/workers',
    columns: singleCompanyColumns,
    fixedFilter: { companyId: [String(of.id)], projectCode: of.projectCode },
    filters: ['isAdmin'],
    barFilters: [],
  },
})

export const WorkersPage = () => <WorkerList />

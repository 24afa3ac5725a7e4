import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { act, tellDone, withReason } from '#kit/web/acts.ts'
import { columns, textOf } from '#kit/web/columns.tsx'
import { confirm, danger } from '#kit/web/confirm.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { KeptImages } from '#kit/web/kept-images.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { OutcomeDialog, useOutcome } from '#kit/web/outcome.tsx'
import { Choice } from '#kit/web/status.tsx'
import type { Verb, Verbs } from '#kit/web/verb.tsx'
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
} from '../contract/worker.ts'
import { menu } from '../module.ts'
import { AdminsDialog } from './admins-dialog.tsx'
import { seeCompany } from './places.ts'
import './companies.css'

const remove = withReason<CompanyWorker>(deleteWorkers, {
  verb: '离职',
  what: '名企业员工',
  name: w => w.name,
  follows: ['离职后不能再进出该企业的房间，资料保留'],
  presets: ['已离开该企业', '登记有误'],
  why: w => (w.state === 'left' ? '已离职' : undefined),
})

const entries = [
  { key: 'name', identity: true },
  'companyId',
  { key: 'mobile', fit: true },
  'position',
  {
    key: 'isAdmin',
    width: 76,
    render: (w: CompanyWorker) => (w.isAdmin ? '管理员' : <span className="absent">--</span>),
    text: (w: CompanyWorker) => (w.isAdmin ? '管理员' : ''),
  },
  { key: 'inDate', drop: 1 },
  { key: 'createTime', title: '登记时间', drop: 2 },
  { key: 'outDate', title: '离职日期', aside: true },
  'state',
] as const

const all = columns(listWorkers.output, entries)

const ofOne = columns(
  listWorkers.output,
  entries.filter(e => e !== 'companyId'),
)

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pending', name: '待审核', filter: { state: ['pending'] } },
  { id: 'active', name: '在职', filter: { state: ['active'] } },
  { id: 'left', name: '已离职', filter: { state: ['left'] } },
]

const groups = [{ keys: ['companyId', 'name', 'mobile', 'position', 'inDate', { key: 'photo', wide: true }] }]

const shownGroups = [
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

const refuse = (some: readonly CompanyWorker[]): Promise<boolean> =>
  danger({
    verb: '驳回',
    what: '个加入申请',
    count: some.length,
    ...(some.length === 1 ? { title: `驳回「${some[0]!.name}」的加入申请` } : {}),
    reason: { presets: ['不是该企业的员工', '照片或姓名不符'] },
    follows: ['申请人可以重新扫码申请'],
    run: async reason =>
      tellDone(
        await act(auditWorkers, { ids: some.map(w => String(w.id)), pass: false, reason }, { quiet: true }),
        '已驳回',
      ),
  })

const pending = (rows: readonly CompanyWorker[]): string | undefined =>
  rows.some(w => w.state !== 'pending') ? '只能勾选待审核的人' : undefined

/**
 * People who work in a company, or in all of them: joined by the picture, audited, made administrators, gone
 * (BASE-16).
 */
export function Workers({ of }: { readonly of?: Company }) {
  const navigate = useNavigate()
  const [outcome, show] = useOutcome()
  const [admins, setAdmins] = useState(false)
  const form = useEdit({
    what: '企业员工',
    add: addWorker,
    edit: editWorker,
    rowIsWhole: true,
    name: (w: CompanyWorker) => w.name,
    as: 'drawer',
    groups: of ? [{ keys: groups[0]!.keys.slice(1) }] : groups,
    ...(of ? { initial: { companyId: of.id, projectCode: of.projectCode } } : {}),
    why: (w: CompanyWorker) => (w.state === 'left' ? '已离职的人不能修改' : undefined),
  })
  const pass = async (some: readonly CompanyWorker[]): Promise<void> => {
    const [one] = some
    if (
      some.length === 1 &&
      !(await confirm({
        title: `通过「${one!.name}」的加入申请`,
        ok: '通过',
        text: (
          <div className="worker-audit">
            {one!.photo ? <KeptImages of={[one!.photo]} size={120} /> : <p className="absent">没有照片</p>}
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
    const b = await act(auditWorkers, { ids: some.map(w => String(w.id)), pass: true })
    if (b.fail || b.skipped) {
      show(b)
    } else {
      tellDone(b, '')
    }
  }
  const verbs = (w: CompanyWorker): Verbs => [
    ...(w.state === 'pending'
      ? ([
          { label: '通过', may: menu.worker.may.audit, run: () => pass([w]) },
          { label: '驳回', may: menu.worker.may.audit, run: () => refuse([w]) },
        ] as Verb[])
      : []),
    form.edit(w),
    ...(of
      ? []
      : [{ label: '看企业', may: menu.company.may.view, run: () => navigate(seeCompany(w.companyId)) }]),
    remove.row(w),
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
        what="企业员工"
        name={of ? 'companies/workers' : 'companies/all-workers'}
        columns={of ? ofOne : all}
        fixed={fixed}
        filters={of ? ['isAdmin'] : ['companyId', 'isAdmin', 'createTime']}
        bar={of ? [] : ['companyId']}
        views={views}
        primary={of?.state === 'gone' ? false : form.add}
        tools={[
          of &&
            of.state !== 'gone' && {
              label: '设置管理员',
              may: menu.worker.may.admin,
              run: () => setAdmins(true),
            },
        ]}
        row={verbs}
        dim={w => w.state === 'left'}
        batch={[
          {
            label: '通过',
            may: menu.worker.may.audit,
            why: t => pending(t.rows),
            run: t => void pass(t.rows),
          },
          {
            label: '驳回',
            may: menu.worker.may.audit,
            why: t => pending(t.rows),
            run: t => void refuse(t.rows),
          },
          remove.batch,
        ]}
        drawer={{
          title: w => w.name,
          status: w => <Choice of={workerState} value={w.state} />,
          groups: shownGroups,
          history: companyWorker.name,
          verbs,
        }}
      />
      {form.dialog}
      {outcome && <OutcomeDialog of={outcome} title="审核结果" onClose={() => show(undefined as never)} />}
      {admins && of && <AdminsDialog of={of} onClose={() => setAdmins(false)} />}
    </>
  )
}

export const WorkersPage = () => <Workers />

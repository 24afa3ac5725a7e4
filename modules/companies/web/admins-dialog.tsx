import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { useCall } from '#kit/web/query.ts'
import type { Company } from '../contract/company.ts'
import { companyWorkers, setCompanyAdmins } from '../contract/company-worker.ts'

interface CompanyAdmins {
  readonly company: Company
  readonly ids: readonly string[]
}

const AdminsForm = actionDialog({
  call: setCompanyAdmins,
  title: ({ company }: CompanyAdmins) => `设置管理员「${company.name}」`,
  submitLabel: '设置管理员',
  keys: [{ key: 'ids', wide: true }],
  target: ({ company }) => ({ companyId: company.id }),
  initial: ({ ids }) => ({ ids }),
  context: ({ company }) => ({ projectCode: company.projectCode }),
  rules: v => (v.ids?.length ? undefined : { ids: '至少要有一位管理员' }),
  doneText: () => '已设置管理员',
})

/** The contacts of a company; at least one (BASE-16). */
export function AdminsDialog({ of, onClose }: { readonly of: Company; readonly onClose: () => void }) {
  const { id, projectCode } = of
  const admins = useCall(
    companyWorkers.list,
    { companyId: [String(id)], projectCode, state: ['active'], isAdmin: true, page: 1, size: 100 },
    { quiet: true, staleMs: 0 },
  )
  const ids = admins.data?.rows.map(worker => String(worker.id)) ?? []
  return admins.isPending ? null : <AdminsForm record={{ company: of, ids }} onClose={onClose} />
}

import { Select } from 'antd'
import { type Control, ariaProps } from '#kit/web/controls/control-kinds.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { useCall } from '#kit/web/query.ts'
import type { Company } from '../contract/company.ts'
import { companyWorkers, setCompanyAdmins } from '../contract/company-worker.ts'

/** Those who work in the company now: 2,000 at most are offered at once. */
const maxWorkers = 2000

interface CompanyAdmins {
  readonly company: Company
  readonly ids: readonly string[]
}

const WorkerSelect: Control = props => {
  const found = useCall(
    companyWorkers.list,
    {
      companyId: [String(props.formValues.companyId)],
      projectCode: String(props.formValues.projectCode),
      state: ['active'],
      page: 1,
      size: maxWorkers,
    },
    { quiet: true, staleMs: 0 },
  )
  return (
    <Select
      {...ariaProps(props)}
      mode="multiple"
      style={{ width: '100%' }}
      placeholder="请选择管理员"
      loading={found.isFetching}
      maxCount={props.field.max ?? 20}
      showSearch={{ optionFilterProp: 'title' }}
      value={Array.isArray(props.value) ? props.value.map(String) : []}
      onChange={v => props.onChange(v)}
      onBlur={props.onBlur}
      options={(found.data?.rows ?? []).map(w => ({
        value: String(w.id),
        label: w.name,
        title: `${w.name} ${w.mobile ?? ''} ${w.position ?? ''}`,
      }))}
      notFoundContent={found.isPending ? '正在读取' : '暂无在职的员工，请先新增或审核'}
    />
  )
}

const AdminsForm = actionDialog({
  call: setCompanyAdmins,
  title: (of: CompanyAdmins) => `设置管理员「${of.company.name}」`,
  submitLabel: '设置管理员',
  keys: [
    {
      key: 'ids',
      label: '管理员',
      control: WorkerSelect,
      help: '至少一位；选中的人成为管理员，其余的人不再是',
    },
  ],
  target: ({ company }) => ({ companyId: company.id }),
  initial: ({ ids }) => ({ ids }),
  context: ({ company }) => ({ projectCode: company.projectCode }),
  rules: v => (v.ids?.length ? undefined : { ids: '至少要有一位管理员' }),
  doneText: () => '已设置管理员',
})

/** Who speaks for a company; never nobody (BASE-16). */
export function AdminsDialog({ of, onClose }: { readonly of: Company; readonly onClose: () => void }) {
  const now = useCall(
    companyWorkers.list,
    {
      companyId: [String(of.id)],
      projectCode: of.projectCode,
      state: ['active'],
      isAdmin: true,
      page: 1,
      size: 100,
    },
    { quiet: true, staleMs: 0 },
  )
  if (now.isPending) return null
  return (
    <AdminsForm
      record={{ company: of, ids: now.data?.rows.map(w => String(w.id)) ?? [] }}
      onClose={onClose}
    />
  )
}

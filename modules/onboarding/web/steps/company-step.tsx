import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { editCompany, getMyCompany } from '#modules/accounts/contract/company.ts'
import { InlineForm } from '#kit/web/form/inline-form.tsx'
import type { StepProps } from './step.ts'

const groups = [{ keys: ['contactName', 'contactPhone', 'address'] }]

export function CompanyStep({ onDone }: StepProps) {
  const company = useCall(getMyCompany, undefined, { project: 0, staleMs: 0 })
  // A step is opened again after it was saved: its form starts with what is stored now.
  if (!company.data || !company.isFetchedAfterMount) return <RowSkeleton rows={3} />
  return (
    <InlineForm
      shape={editCompany.input}
      groups={groups}
      initial={company.data}
      draftKey="guide/company"
      submitLabel="保存公司信息"
      save={values => send(editCompany, { ...company.data, ...values }, { quiet: true, project: 0 })}
      onDone={() => {
        toast.success('已保存公司信息')
        onDone(true)
      }}
    />
  )
}

import { useNavigate, useSearchParams } from 'react-router'
import { parseId } from '#kit/domain/id.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { today } from '#kit/web/date-format.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import type { WorkPlan } from '#modules/planned-work/contract/plan.ts'
import { newPlan, planFormGroups, referenceControl } from '#modules/planned-work/web/public.form.ts'
import { LivePreview } from '#modules/planned-work/web/public.preview.ts'
import { patrolPlans, previewPatrolPlan } from '../contract/plan.ts'
import { paths } from '../module.ts'

type Draft = NonNullable<typeof patrolPlans.save.input.T>

const RoadControl = referenceControl('patrolRoad')

const groups = planFormGroups([{ key: 'subjectId', label: '路线', control: RoadControl, wide: false }])

function PlanForm({ row }: { readonly row?: WorkPlan }) {
  const navigate = useNavigate()
  const saving = useSend(patrolPlans.save, { quiet: true })
  return (
    <FormPage<Draft, WorkPlan>
      shape={patrolPlans.save.input}
      title={row ? `编辑巡更计划「${row.planName}」` : '新增巡更计划'}
      groups={groups}
      initial={row ?? { ...newPlan, beginDate: today(), times: [{ begin: '20:00', end: '21:00' }] }}
      draftKey={draftKeyOf(patrolPlans.save, row ? row.id : 'new')}
      save={values => saving.mutateAsync(values)}
      loadCurrent={
        row && (async () => ({ ...(await send(patrolPlans.get, { id: row.id }, { quiet: true })) }))
      }
      onDone={() => void navigate(paths.plans, { replace: true })}
      below={values => <LivePreview call={previewPatrolPlan} values={values} />}
    />
  )
}

function EditedPlan() {
  const { record, placeholder } = useAddressedRecord(patrolPlans.get, {
    tabTitle: plan => `编辑 ${plan.planName}`,
    staleMs: 0,
  })
  return record ? <PlanForm row={record} /> : placeholder
}

/** 新增、编辑巡更计划 */
export default function PlanFormPage() {
  const [address] = useSearchParams()
  return parseId(address.get('id')) ? <EditedPlan /> : <PlanForm />
}

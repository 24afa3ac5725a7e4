import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { parseId } from '#kit/domain/id.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { today } from '#kit/web/date-format.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { useSend } from '#kit/web/query.ts'
import type { WorkPlan } from '../contract/plan.ts'
import { schedules } from '../contract/schedule.ts'
import { paths } from '../module.ts'
import { CycleControl, referenceControl, StateControl, TargetsControl } from './plan-controls.tsx'
import { PlanPreview, type PlanDraft } from './plan-preview.tsx'
import './planned-work.css'

const StandardControl = referenceControl('taskStandard')

const groups = defineFormGroups([
  {
    title: '计划',
    keys: [
      'planName',
      { key: 'subjectId', label: '任务标准', control: StandardControl, wide: false },
      { key: 'targetType', deriveValues: () => ({ targetIds: [] }) },
      { key: 'targetIds', control: TargetsControl, wide: false },
    ],
  },
  {
    title: '时间',
    keys: [
      'cycleType',
      {
        key: 'cycle',
        control: CycleControl,
        wide: false,
        isRequired: true,
        isHidden: ({ cycleType }: Partial<PlanDraft>) => !cycleType || cycleType === 'daily',
      },
      { key: 'times', wide: true },
      'calendarRule',
      'lateEndMinutes',
      'beginDate',
      'endDate',
    ],
  },
  { title: '人员', keys: ['staffMode', 'staffIds', 'remindMinutes'] },
  { title: '其他', keys: [{ key: 'state', control: StateControl, wide: false }, 'remark'] },
])

function PlanForm({ plan }: { readonly plan?: WorkPlan }) {
  const navigate = useNavigate()
  const adding = useSend(schedules.add, { quiet: true })
  const editing = useSend(schedules.edit, { quiet: true })
  const [initial] = useState<Partial<PlanDraft>>(
    () =>
      plan ?? {
        beginDate: today(),
        times: [{ begin: '08:00', end: '10:00' }],
      },
  )
  return (
    <FormPage<PlanDraft, WorkPlan>
      shape={schedules.add.input}
      title={plan ? `编辑任务计划 ${plan.planName}` : '新增任务计划'}
      groups={groups}
      initial={initial}
      draftKey={draftKeyOf(schedules.add, plan ? plan.id : 'new')}
      save={draft => (plan ? editing : adding).mutateAsync(draft)}
      onDone={({ id }) => void navigate(`${paths.planDetail}?id=${id}`, { replace: true })}
      below={draft => <PlanPreview draft={draft} />}
    />
  )
}

function EditedPlan() {
  const { record, placeholder } = useAddressedRecord(schedules.get, {
    tabTitle: plan => `编辑任务计划 ${plan.planName}`,
    staleMs: 0,
  })
  return record ? <PlanForm plan={record} /> : placeholder
}

/** 任务计划表单: a new plan, or one that is changed, with what it will ask of whom. */
export default function PlanFormPage() {
  const [address] = useSearchParams()
  return parseId(address.get('id')) ? <EditedPlan /> : <PlanForm />
}

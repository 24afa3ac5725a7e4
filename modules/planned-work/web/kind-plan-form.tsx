import { useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { parseId } from '#kit/domain/id.ts'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { today } from '#kit/web/date-format.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { useSend } from '#kit/web/query.ts'
import type { WorkPlan } from '../contract/plan.ts'
import type { KindSpec } from './kind-spec.ts'
import { LivePreview } from './live-preview.tsx'
import { referenceControl } from './plan-controls.tsx'
import { newPlan, planFormGroups } from './plan-fields.ts'
import './planned-work.css'

/** Several records where the engine knows numbers only. */
const referencesControl = (target: string): Control =>
  function References({ field, id, value, onChange, onBlur, disabled, invalid, formValues, describedBy }) {
    return (
      <RefSelect
        field={{ ...field, target, targetBy: 'id' }}
        multiple
        id={id}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        formValues={formValues}
        disabled={disabled}
        status={invalid ? 'error' : undefined}
        describedBy={describedBy}
      />
    )
  }

function PlanForm({ spec, plan }: { readonly spec: KindSpec; readonly plan?: WorkPlan }) {
  const { calls, paths, templateRef, targetRef, targetLabel } = spec
  const navigate = useNavigate()
  const adding = useSend(calls.plans.add, { quiet: true })
  const editing = useSend(calls.plans.edit, { quiet: true })
  const [initial] = useState<Partial<WorkPlan>>(
    () => plan ?? { ...newPlan, beginDate: today(), times: [{ begin: '08:00', end: '10:00' }] },
  )
  const groups = useMemo(
    () =>
      planFormGroups([
        { key: 'subjectId', label: '模板', control: referenceControl(templateRef), wide: false },
        { key: 'targetIds', label: targetLabel, control: referencesControl(targetRef), wide: true },
      ]),
    [templateRef, targetRef, targetLabel],
  )
  return (
    <FormPage<NonNullable<typeof calls.plans.add.input.T>, WorkPlan>
      shape={calls.plans.add.input}
      title={plan ? `编辑${calls.noun}计划 ${plan.planName}` : `新增${calls.noun}计划`}
      groups={groups}
      initial={initial}
      draftKey={draftKeyOf(calls.plans.add, plan ? plan.id : 'new')}
      save={draft => (plan ? editing : adding).mutateAsync(draft)}
      onDone={({ id }) => void navigate(`${paths.planDetail}?id=${id}`, { replace: true })}
      below={draft => <LivePreview call={calls.preview} values={draft} />}
    />
  )
}

function EditedPlan({ spec }: { readonly spec: KindSpec }) {
  const { record, placeholder } = useAddressedRecord(spec.calls.plans.get, {
    tabTitle: plan => `编辑${spec.calls.noun}计划 ${plan.planName}`,
    staleMs: 0,
  })
  return record ? <PlanForm spec={spec} plan={record} /> : placeholder
}

/** A new plan of the kind, or one that is changed, with what it will ask of whom. */
export function KindPlanForm({ spec }: { readonly spec: KindSpec }) {
  const [address] = useSearchParams()
  return parseId(address.get('id')) ? <EditedPlan spec={spec} /> : <PlanForm spec={spec} />
}

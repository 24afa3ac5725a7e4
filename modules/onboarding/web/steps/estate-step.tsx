import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { invalidate, useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { chooseProject } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { addEstate, listEstates } from '#modules/estates/contract/estate.ts'
import { proposedProjectCode } from '#modules/estates/web/public.tsx'
import { InlineForm } from '#kit/web/form/inline-form.tsx'
import type { StepProps } from './step.ts'

const groups = [{ keys: ['name', 'projectCode', 'projectType', 'servicePhone', 'address'] }]

export function EstateStep({ onDone }: StepProps) {
  const estates = useCall(listEstates, { page: 1, size: 500 }, { project: 0, staleMs: 0 })
  if (!estates.data) return <RowSkeleton rows={3} />
  const projectCode = proposedProjectCode(estates.data.rows)
  return (
    <InlineForm
      key={projectCode}
      shape={addEstate.input}
      groups={groups}
      initial={{ projectCode, projectType: 'housing', state: 'on', sort: 0 }}
      draftKey="guide/estate"
      submitLabel="新增项目"
      save={values => send(addEstate, values, { quiet: true, project: 0 })}
      onDone={estate => {
        chooseProject({ code: estate.projectCode, name: estate.name })
        void invalidate(['estate'])
        toast.success(`已新增项目「${estate.name}」`)
        onDone(true)
      }}
    />
  )
}

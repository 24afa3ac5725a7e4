import { useMemo } from 'react'
import type { Shape } from '#kit/contract/shape.ts'
import { shownProjectCode, useSession } from '../session.ts'
import type { Values } from './drafts.ts'
import { formKeys, groupKeys, type FormFieldGroup } from './form-fields.tsx'
import type { InitialValues } from './edit-dialog.tsx'

/** Groups of a form; the project is asked for only where none is chosen in the header bar. */
export function useFormGroups<I>(
  shape: Shape<I>,
  groups: readonly FormFieldGroup[] | undefined,
  initial: InitialValues<I> | undefined,
): {
  readonly groups: readonly FormFieldGroup[]
  readonly keys: readonly string[]
  readonly initial: Values
  /** Name of the project that is filled in without being asked. */
  readonly projectName: string | undefined
} {
  const project = useSession(s => s.project)
  const chosenCode = useSession(shownProjectCode)
  return useMemo(() => {
    const declared: readonly FormFieldGroup[] = groups ?? [{ keys: formKeys(shape.fields) }]
    const field = shape.fields.projectCode
    const presets = (initial ?? {}) as Values
    const needsProject =
      field !== undefined &&
      field.required &&
      field.dataDomain === 'project' &&
      !groupKeys(declared).includes('projectCode')
    const asksProject = needsProject && !presets.projectCode && !chosenCode
    const [first, ...others] = declared
    const shown = asksProject
      ? [{ ...first, keys: [{ key: 'projectCode', wide: true }, ...(first?.keys ?? [])] }, ...others]
      : declared
    const isChosen = !presets.projectCode || presets.projectCode === chosenCode
    return {
      groups: shown,
      keys: groupKeys(shown),
      initial: { ...(needsProject && chosenCode ? { projectCode: chosenCode } : {}), ...presets },
      projectName: needsProject && !asksProject && isChosen ? project?.name : undefined,
    }
  }, [shape, groups, initial, chosenCode, project])
}

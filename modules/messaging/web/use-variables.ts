import { useCall } from '#kit/web/query.ts'
import type { Audience } from '../contract/audience.ts'
import { getNumbers } from '../contract/number-file.ts'
import { audienceVariables, type FillableVariables } from '../domain/template.ts'

/** The variables that an audience fills in, also by the columns of its file of numbers. */
export function useVariables(audience: Partial<Audience>): FillableVariables {
  const id = audience.scopeType === 'numbers' ? audience.scopeJson?.numberFileId : undefined
  const { data } = useCall(
    getNumbers,
    { id: id ?? 0 },
    { quiet: true, project: 0, enabled: id !== undefined },
  )
  const { hasRoom, variables = [] } = data ?? { hasRoom: true }
  return audienceVariables(audience, data && { hasRoom, variables })
}

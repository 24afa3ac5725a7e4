import type { FieldFault, Refused } from '#kit/contract/wire.ts'

const isPartOfFault = (v: unknown): v is Partial<FieldFault> => typeof v === 'object' && v !== null

/** The faults by field that a refusal tells; one with its own message where it tells none by field. */
export function fieldFaultsOf({ data, message }: Refused): readonly FieldFault[] {
  const list: readonly unknown[] | undefined = Array.isArray(data) ? data : undefined
  if (!list) return [{ Field: (isPartOfFault(data) && data.Field) || '', Message: message }]
  return list.filter(isPartOfFault).map(f => ({ Field: f.Field ?? '', Message: f.Message ?? message }))
}

import { wireNameOf, type FieldFault } from '#kit/contract/wire.ts'
import { checkItemFields } from '#modules/planned-work/contract/task.ts'
import { checkItemFaults, type CheckItem } from '../domain/check-items.ts'

/** The faults of a list of checks on the lines of its form. */
export const checkItemFieldFaults = (
  list: string,
  items: readonly CheckItem[] | undefined,
  known?: readonly string[],
): FieldFault[] =>
  checkItemFaults(items ?? [], known).map(({ index, key, message }) => ({
    Field: `${list}[${index}].${wireNameOf(key, checkItemFields[key])}`,
    Message: message,
  }))

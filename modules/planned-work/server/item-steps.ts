import type { FieldFault } from '#kit/contract/wire.ts'
import { disablingFaults, findUses } from '#kit/server/dependents.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { TaskStandard } from '../contract/standard.ts'
import type { StepDraft } from './kinds.ts'

type Items = NonNullable<TaskStandard['items']>

/** The weighted items of a standard or a template, as the steps of a task. */
export const stepsOfItems = (items: Items): StepDraft[] =>
  items.map(({ name, weight, needsPhoto, raisesOrder, minValue, maxValue, unit }) => ({
    subjectId: 0,
    name,
    offsetMinutes: 0,
    weight,
    needs: {
      verdict: true,
      ...(needsPhoto && { photo: true }),
      ...(raisesOrder && { raisesOrder: true }),
      ...(minValue !== undefined && { minValue }),
      ...(maxValue !== undefined && { maxValue }),
      ...(unit !== undefined && { unit }),
    },
  }))

/** What is wrong with the items of a standard or a template. */
export function itemFaults(items: Items): FieldFault[] {
  const names = new Set<string>()
  return items.flatMap((item, i): FieldFault[] => {
    const isRepeated = names.has(item.name)
    names.add(item.name)
    const bounds = [item.minValue, item.maxValue].filter(text => text !== undefined)
    const isNoNumber = bounds.some(text => !Number.isFinite(Number(text)))
    const isReversed =
      item.minValue !== undefined &&
      item.maxValue !== undefined &&
      Number(item.minValue) > Number(item.maxValue)
    return [
      ...(isRepeated ? [{ Field: `ItemsJson[${i}].Name`, Message: '检查项重复，请修改' }] : []),
      ...(isNoNumber ? [{ Field: `ItemsJson[${i}].MinValue`, Message: '上下限应为数字' }] : []),
      ...(isReversed ? [{ Field: `ItemsJson[${i}].MaxValue`, Message: '上限不能小于下限' }] : []),
    ]
  })
}

interface ItemsHolder {
  readonly items?: Items | undefined
  readonly state?: unknown
}

/**
 * What is wrong with a standard or a template as its form saves it: its items, and that enabled plans use
 * what is switched off or emptied (BASE-5).
 */
export async function standardFaults(
  c: Pick<WriteContext, 'tx' | 'scope'>,
  entity: { readonly name: string; readonly label: string },
  draft: ItemsHolder,
  before: ItemsHolder | undefined,
): Promise<FieldFault[]> {
  const isEmptied = before?.items?.length && !draft.items?.length
  const uses = isEmptied ? await findUses(c, entity, before) : undefined
  return [
    ...itemFaults(draft.items ?? []),
    ...(uses ? [{ Field: 'ItemsJson', Message: `检查项不能全部删除：还有${uses}，请先停用或更换` }] : []),
    ...(await disablingFaults(c, entity, draft, before)),
  ]
}

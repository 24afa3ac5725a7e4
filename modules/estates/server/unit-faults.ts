import type { FieldFault } from '#kit/contract/wire.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { findByKeys } from '#kit/server/table.ts'
import { building } from '../contract/building.ts'

interface NamedUnits {
  readonly projectCode: string
  readonly buildCodes: readonly string[]
  readonly unitNames: readonly string[]
}

/** Units that none of the buildings has: nobody lives there, and what is for them is nobody's. */
export async function unitFaults(
  { projectCode, buildCodes, unitNames }: NamedUnits,
  { tx, scope }: WriteContext,
  field = 'Unitname',
): Promise<FieldFault[]> {
  if (!unitNames.length) return []
  if (!buildCodes.length) return [{ Field: 'Buildcode', Message: '填写单元时请选择楼栋' }]
  const found = await findByKeys(tx, building, scope, buildCodes, projectCode)
  // A building that is not there is refused as such.
  if (found.length < new Set(buildCodes).size) return []
  const names = [...new Set(found.flatMap(each => each.unitNames ?? []))]
  const unknown = unitNames.filter(name => !names.includes(name))
  if (!unknown.length) return []
  return [{ Field: field, Message: `楼栋没有单元「${unknown.join('、')}」，请填写：${names.join('、')}` }]
}

interface NamedUnit {
  readonly projectCode: string
  readonly buildCode?: string | undefined
  readonly unitName?: string | undefined
}

/** Of what lies in one unit, or in a whole building. */
export const oneUnitFaults = (
  { projectCode, buildCode, unitName }: NamedUnit,
  c: WriteContext,
): Promise<FieldFault[]> =>
  unitFaults(
    {
      projectCode,
      buildCodes: buildCode === undefined ? [] : [buildCode],
      unitNames: unitName === undefined ? [] : [unitName],
    },
    c,
  )

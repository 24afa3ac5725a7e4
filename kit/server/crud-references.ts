import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { storedKeys, type Entity } from '#kit/contract/entity.ts'
import type { Field } from '#kit/contract/field.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { Served, Values } from './crud-read.ts'
import type { ReferenceRule } from './crud-hooks.ts'
import type { WriteContext } from './handler.ts'
import { getEntity } from './registry.ts'
import { findByIds, findByKey } from './table.ts'

export const wireName = (key: string, f: Field): string =>
  typeof f.wire === 'string' ? f.wire : (f.wire?.[0] ?? defined(key[0]).toUpperCase() + key.slice(1))

/** What names other records, but for projects: those are checked for every write (`assertProjectsExist`). */
export const referenceFields = (entity: Entity<any>): (readonly [key: string, field: Field])[] =>
  storedKeys(entity).flatMap(key => {
    const field = entity.fields[key] as Field
    return field.target && field.dataDomain !== 'project' ? [[key, field] as const] : []
  })

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 0 || value === '0'

/** Why one of these is not what may be referred to; nothing when all may be. */
async function faultOf(
  field: Field,
  values: readonly (Id | string)[],
  project: string | undefined,
  { tx, scope }: WriteContext,
): Promise<string | undefined> {
  const target = getEntity(field.target ?? '')
  if (field.targetBy === 'key') {
    for (const value of values) {
      if (!(await findByKey(tx, target, scope, String(value), project)))
        return `${field.label}${project === undefined ? '不存在' : '不存在或不属于所选项目'}，请重新选择`
    }
    return undefined
  }
  const found = (await findByIds(tx, target, scope, values)) as readonly Values[]
  if (found.length < new Set(values.map(String)).size) return `${field.label}不存在或已被删除，请重新选择`
  const other = found.find(
    row => target.tenancy === 'project' && project !== undefined && row.projectCode !== project,
  )
  return other && `「${String(other[target.title])}」不属于所选项目，请重新选择`
}

/**
 * Every reference that is new or changed names a record that is there, within the company and what the caller
 * may see, in the record's project where both belong to one.
 */
export async function referenceFaults(
  { crud, hooks }: Served,
  draft: Values,
  c: WriteContext,
  before: Values | undefined,
): Promise<FieldFault[]> {
  const rules: Readonly<Record<string, ReferenceRule | undefined>> = hooks.references ?? {}
  const project = (before ?? draft).projectCode as string | undefined
  const faults: FieldFault[] = []
  for (const [key, field] of referenceFields(crud.entity)) {
    const rule = rules[key]
    const value = draft[key]
    if (typeof rule === 'object' || String(value) === String(before?.[key])) continue
    const values = (Array.isArray(value) ? value : [value]).filter(each => !isMissing(each))
    const fault = values.length ? await faultOf(field, values, project, c) : undefined
    if (fault !== undefined) {
      faults.push({ Field: wireName(key, field), Message: rule ?? fault })
    }
  }
  return faults
}

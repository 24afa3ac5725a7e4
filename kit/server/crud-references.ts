import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { storedKeys, type Entity } from '#kit/contract/entity.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import { Refused, resultCode, type FieldFault } from '#kit/contract/wire.ts'
import { valuesByKey } from './column-storage.ts'
import type { Served, Values } from './crud-read.ts'
import type { ReferenceRule } from './crud-hooks.ts'
import type { WriteContext } from './handler.ts'
import { getEntity } from './registry.ts'
import { findByIds, findByKeys } from './table.ts'

export const wireName = (key: string, f: Field): string =>
  typeof f.wire === 'string' ? f.wire : (f.wire?.[0] ?? defined(key[0]).toUpperCase() + key.slice(1))

const isReference = (field: Field): boolean => field.target !== undefined && field.dataDomain !== 'project'

/** What names other records, but for projects: those are checked for every write (`assertProjectsExist`). */
export const referenceFields = (entity: Entity<any>): (readonly [key: string, field: Field])[] =>
  storedKeys(entity).flatMap(key => {
    const field = entity.fields[key] as Field
    return isReference(field) ? [[key, field] as const] : []
  })

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 0 || value === '0'

/** A draft in which an optional reference to 0 is none: so old clients send it. */
export const withoutZeroReferences = <D extends Values>(entity: Entity<any>, draft: D): D => ({
  ...draft,
  ...Object.fromEntries(
    referenceFields(entity).flatMap(([key, field]) =>
      field.kind === 'ref' && !field.required && isMissing(draft[key]) && draft[key] !== undefined
        ? [[key, undefined]]
        : [],
    ),
  ),
})

const isSame = (value: unknown, stored: unknown): boolean => String(value) === String(stored)

/** Why one of these is not what may be referred to; nothing when all may be. */
async function faultOf(
  field: Field,
  values: readonly (Id | string)[],
  project: string | undefined,
  { tx, scope }: WriteContext,
): Promise<string | undefined> {
  const target = getEntity(field.target ?? '')
  const wanted = new Set(values.map(String))
  if (field.targetBy === 'key') {
    const found = await findByKeys(tx, target, scope, [...wanted], project)
    return found.length < wanted.size
      ? `${field.label}${project === undefined ? '不存在' : '不存在或不属于所选项目'}，请重新选择`
      : undefined
  }
  const found = (await findByIds(tx, target, scope, values)) as readonly Values[]
  if (found.length < wanted.size) return `${field.label}不存在或已被删除，请重新选择`
  const other = found.find(
    row => target.tenancy === 'project' && project !== undefined && row.projectCode !== project,
  )
  return other && `「${String(other[target.title])}」不属于所选项目，请重新选择`
}

interface ReferenceOptions {
  /** The current record: references that it already has are not checked again. */
  readonly before?: object | undefined
  readonly rules?: Readonly<Record<string, ReferenceRule | undefined>>
}

async function faultsOf(
  fields: readonly (readonly [key: string, field: Field])[],
  draft: Values,
  c: WriteContext,
  { before, rules = {} }: ReferenceOptions,
): Promise<FieldFault[]> {
  const stored = before && valuesByKey(before)
  const project = (stored ?? draft).projectCode as string | undefined
  const faults: FieldFault[] = []
  for (const [key, field] of fields) {
    const rule = rules[key]
    const value = draft[key]
    if (typeof rule === 'object' || isSame(value, stored?.[key])) continue
    const values = (Array.isArray(value) ? value : [value]).filter(each => !isMissing(each))
    const fault = values.length ? await faultOf(field, values, project, c) : undefined
    if (fault !== undefined) {
      faults.push({ Field: wireName(key, field), Message: rule ?? fault })
    }
  }
  return faults
}

/**
 * Every reference that is new or changed names a record that is there, within the company and what the caller
 * may see, in the record's project where both belong to one.
 */
export const referenceFaults = (
  { crud, hooks }: Served,
  draft: Values,
  c: WriteContext,
  before: Values | undefined,
): Promise<FieldFault[]> =>
  faultsOf(referenceFields(crud.entity), draft, c, { before, rules: hooks.references ?? {} })

/** Checks one line of a record: its faults are at `path`, such as `NodesJson[0]`. */
export async function lineReferenceFaults(
  path: string,
  fields: Fields,
  line: object,
  c: WriteContext,
  options: Pick<ReferenceOptions, 'before'> = {},
): Promise<FieldFault[]> {
  const named = Object.entries(fields).filter(([, field]) => isReference(field))
  const faults = await faultsOf(named, valuesByKey(line), c, options)
  return faults.map(fault => ({ ...fault, Field: `${path}.${fault.Field}` }))
}

/**
 * The same of what a call names that `crudHandlers` does not serve: refuses records that are not there. The
 * input names its project as `projectCode`.
 */
export async function assertReferences(
  fields: Fields,
  input: object,
  c: WriteContext,
  options: Pick<ReferenceOptions, 'before'> = {},
): Promise<void> {
  const named = Object.entries(fields).filter(([, field]) => isReference(field))
  const [fault, ...others] = await faultsOf(named, valuesByKey(input), c, options)
  if (fault) throw new Refused(resultCode.notFound, fault.Message, [fault, ...others])
}

import { id, int, moment, text, type Id, type Field, type Fields, type ValueOf } from './field.ts'

/** How far a row belongs: to the whole installation, to one company, or to one project of it (G-13). */
export type TenancyLevel = 'platform' | 'company' | 'project'

export interface Entity<F extends Fields = Fields> {
  readonly name: string
  readonly label: string
  /** One table belongs to one entity, one entity to one module. */
  readonly table: string
  readonly tenancy: TenancyLevel
  readonly fields: F
  /** The natural key that people and references use (`Roomcode`), unique within the reach. */
  readonly key?: string
  /** The field that names a record to people. */
  readonly title: string
  /** Order of a list nobody sorted: keys, `-` before a falling one; the id breaks ties. */
  readonly order: readonly string[]
}

const hiddenEverywhere = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

const stamps = {
  createTime: moment('创建时间', { derived: true, hiddenIn: ['form', 'filter', 'sheet', 'table'] }),
  updateTime: moment('修改时间', { derived: true, hiddenIn: ['form', 'filter', 'sheet', 'table'] }),
  version: int('版本', { ...hiddenEverywhere, initial: 1 }),
}

/** The project (estate) of a row; must be in the caller's data domain. */
export const projectField = <const R extends boolean = true>(
  label = '项目',
  options: { required?: R; wire?: string | readonly string[]; target?: string; targetBy?: 'id' | 'key' } = {},
): Field<string, R, 'text'> =>
  text(label, {
    required: true,
    max: 20,
    dataDomain: 'project',
    immutable: true,
    hiddenIn: ['form', 'filter', 'sheet', 'table', 'detail'],
    ...options,
  }) as never

type Stamps = typeof stamps

export type EntityFields<F, R extends TenancyLevel> = { id: Field<Id, true, 'id'> } & (R extends 'project'
  ? { projectCode: Field<string, true, 'text'> }
  : {}) &
  Omit<F, 'id'> &
  Stamps

interface EntityOptions<F, R> {
  table: string
  tenancy: R
  key?: keyof F & string
  title: keyof F & string
  order?: readonly string[]
}

/**
 * Every entity also has id, version and stamps; a project's one has `projectCode` (entities.md, Conventions).
 */
export function entity<const F extends Fields, const R extends TenancyLevel>(
  name: string,
  label: string,
  about: EntityOptions<F, R>,
  fields: F,
): Entity<EntityFields<F, R>> {
  const whole = {
    id: id(),
    ...(about.tenancy === 'project' ? { projectCode: projectField() } : {}),
    ...fields,
    ...stamps,
  }
  return {
    order: about.key ? [about.key] : ['-id'],
    ...about,
    name,
    label,
    fields: whole,
  } as unknown as Entity<EntityFields<F, R>>
}

export type Row<E> = E extends Entity<infer F> ? ValueOf<F> : never

/** Fields that the table holds: all but those answered from elsewhere, stamps included. */
export const storedKeys = (e: Entity): string[] =>
  Object.entries(e.fields)
    .filter(([k, f]) => !f.derived || k in stamps)
    .map(([k]) => k)

/** `buildArea` → `build_area`: how a key is spelled in the database. */
export const columnOf = (key: string): string => key.replace(/[A-Z]/g, c => `_${c.toLowerCase()}`)

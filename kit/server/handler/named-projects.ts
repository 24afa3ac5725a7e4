import type { Id } from '#kit/domain/id.ts'
import type { Field } from '#kit/contract/field.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import type { Shape } from '#kit/contract/shape.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { valuesByKey } from '../column-storage.ts'
import { sql, type Db } from '../db.ts'
import { allEntities } from '../registry.ts'
import { notDeleted } from '../sql.ts'

type NamedFields = Readonly<Record<string, Field>>

/** The codes of projects that an input refers to, anywhere in it. */
function findNamedProjects(fields: NamedFields, input: unknown): string[] {
  if (input === null || typeof input !== 'object') return []
  const values = valuesByKey(input)
  return Object.entries(fields).flatMap(([key, field]) => {
    const value = values[key]
    if (value === undefined || value === null || value === '') return []
    const all: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (field.dataDomain === 'project') return all.map(String)
    return field.kind === 'part' || field.kind === 'lines'
      ? all.flatMap(row => findNamedProjects(nestedFieldsOf(field), row))
      : []
  })
}

/** Refuses a write, or its preview, that names a project which the company does not have. */
export async function assertProjectsExist(
  db: Db,
  ownerId: Id,
  shape: Shape,
  input: unknown,
  chosenProject: string,
): Promise<void> {
  const project = allEntities().find(e => e.tenancy === 'project' && e.key === 'projectCode')
  if (!project) return
  // The form of a project itself may name one that is yet to come.
  const named = new Set(shape.entity === project.name ? [] : findNamedProjects(shape.fields, input))
  if (chosenProject) {
    named.add(chosenProject)
  }
  if (!named.size) return
  const rows = await db.rows<{ projectCode: string }>(
    sql`
      select project_code
      from ${sql.table(project.table)}
      where owner_id = ${ownerId} and ${notDeleted()} and project_code = any(${[...named]}::text[])
    `,
  )
  const known = new Set(rows.map(row => row.projectCode))
  const unknown = [...named].find(code => !known.has(code))
  if (unknown !== undefined)
    throw invalidInput([{ Field: 'ProjectCode', Message: `项目「${unknown}」不存在，请重新选择` }])
}

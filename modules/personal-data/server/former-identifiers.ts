import { columnOf, storedKeys } from '#kit/contract/entity.ts'
import { companyDeclarations } from '#kit/server/company-data/installed.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { PersonKind } from '#kit/server/personal-data/declaration.ts'
import { personKinds } from '#kit/server/personal-data/registry.ts'
import { joinIdentifiers, noIdentifiers, type Identifiers } from '../domain/identifiers.ts'

/** The keys under which the change history has the columns. */
function historyKeys({ entity: name }: PersonKind, columns: readonly string[] = []): string[] {
  const entity = companyDeclarations().entities.find(each => each.name === name)
  return entity ? storedKeys(entity).filter(key => columns.includes(columnOf(key))) : []
}

async function readOfKind(db: Db, ownerId: Id, kind: PersonKind, ids: readonly Id[]): Promise<Identifiers> {
  const keys = {
    names: historyKeys(kind, [kind.name]),
    mobiles: historyKeys(kind, kind.mobiles),
    idCards: historyKeys(kind, kind.idCards),
    emails: historyKeys(kind, kind.emails),
  }
  const rows = await db.rows<{ key: string; value: string }>(sql`
    select distinct m.key, m.value
    from audit_log t
    cross join lateral (values (t.before), (t.after)) d(document)
    cross join lateral jsonb_each_text(
      case when jsonb_typeof(d.document) = 'object' then d.document else '{}' end
    ) m
    where t.owner_id = ${ownerId}
      and t.entity = ${kind.entity}
      and t.entity_id = any(${[...ids]}::bigint[])
      and m.key = any(${Object.values(keys).flat()}::text[])
      and m.value <> ''
  `)
  const valuesOf = (chosen: readonly string[]): string[] =>
    rows.flatMap(({ key, value }) => (chosen.includes(key) ? [value] : []))
  return {
    ...noIdentifiers,
    names: valuesOf(keys.names),
    mobiles: valuesOf(keys.mobiles),
    idCards: valuesOf(keys.idCards),
    emails: valuesOf(keys.emails),
  }
}

/** What the records were called and how they were reached before: of that too something may be kept. */
export async function readFormerIdentifiers(
  db: Db,
  ownerId: Id,
  records: readonly { readonly entity: string; readonly id: Id }[],
): Promise<Identifiers> {
  const found: Identifiers[] = []
  for (const kind of personKinds()) {
    const ids = records.flatMap(each => (each.entity === kind.entity && each.id > 0 ? [each.id] : []))
    if (ids.length) {
      found.push(await readOfKind(db, ownerId, kind, ids))
    }
  }
  return joinIdentifiers(found)
}

/** The records with which these were merged. */
export async function readMerged(
  db: Db,
  ownerId: Id,
  { merged }: PersonKind,
  ids: readonly Id[],
): Promise<Id[]> {
  if (!merged) return []
  const rows = await db.rows<{ id: Id }>(sql`${merged({ ownerId, ids })}`)
  return rows.map(row => row.id)
}

/** Records of a kind that once had this number, as their change history has it. */
export async function findFormerIds(
  db: Db,
  ownerId: Id,
  kind: PersonKind,
  number: string,
  limit: number,
): Promise<Id[]> {
  const keys = historyKeys(kind, [...(kind.mobiles ?? []), ...(kind.idCards ?? []), ...(kind.emails ?? [])])
  if (!keys.length) return []
  const isFormer = sql.join(
    keys.flatMap(key => [sql`t.before ->> ${key} = ${number}`, sql`t.after ->> ${key} = ${number}`]),
    sql` or `,
  )
  const rows = await db.rows<{ id: Id }>(sql`
    select distinct t.entity_id as id
    from audit_log t
    where t.owner_id = ${ownerId} and t.entity = ${kind.entity} and (${isFormer})
    order by id desc
    limit ${limit}
  `)
  return rows.map(row => row.id)
}

import type { Id } from '#kit/domain/id.ts'
import { invalidInput, notFound } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { anyone, type PeopleOfKind, type PersonKind } from '#kit/server/personal-data/declaration.ts'
import { personKinds } from '#kit/server/personal-data/registry.ts'
import {
  exclusiveIdentifiers,
  isTelephone,
  joinIdentifiers,
  recordsOfPerson,
  type Identifiers,
  type PersonRecord,
} from '../domain/identifiers.ts'

/** Somebody whom no entity records: known by a telephone that stands in some record. */
export const contactKind = 'contact'

export interface RecordedPerson extends PersonRecord {
  readonly name: string
  readonly place?: string
  readonly isDeleted: boolean
}

/** A person with all records of the company, and with what identifies the person alone. */
export interface Person {
  readonly ownerId: Id
  readonly records: readonly RecordedPerson[]
  readonly all: Identifiers
  readonly exclusive: Identifiers
}

interface PersonRow {
  readonly id: Id
  readonly name: string
  readonly place?: string
  readonly mobiles: readonly string[]
  readonly idCards: readonly string[]
  readonly emails: readonly string[]
  readonly deleteTag: number
}

const listOf = (columns: readonly string[] = []): RawBuilder<unknown> =>
  columns.length
    ? sql`array_remove(array[${sql.join(columns.map(column => sql`t.${sql.id(column)}::text`))}], null)`
    : sql`array[]::text[]`

/** People of one kind who fulfil the condition, in the recycle bin too, those who were erased left out. */
async function readKind(
  db: Db,
  ownerId: Id,
  kind: PersonKind,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<RecordedPerson[]> {
  const rows = await db.rows<PersonRow>(sql`
    select t.id, t.${sql.id(kind.name)} as name, t.delete_tag, ${listOf(kind.mobiles)} as mobiles,
      ${listOf(kind.idCards)} as id_cards, ${listOf(kind.emails)} as emails,
      ${kind.place === undefined ? sql`null` : kind.place(ownerId)} as place
    from ${sql.table(kind.table)} t
    where t.owner_id = ${ownerId} and t.delete_tag >= 0 and (${condition})
    order by t.delete_tag, t.id desc
    limit ${limit}
  `)
  return rows.map(({ deleteTag, name, ...row }) => ({
    ...row,
    entity: kind.entity,
    name,
    names: [name],
    isDeleted: deleteTag !== 0,
  }))
}

const equalsAnyText = (columns: readonly string[] = [], texts: readonly string[]): RawBuilder<unknown>[] =>
  texts.length ? columns.map(column => sql`t.${sql.id(column)} = any(${[...texts]}::text[])`) : []

const anyOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length ? sql`(${sql.join(conditions, sql` or `)})` : sql`false`

/** By a part of the name, or by a whole telephone, document or e-mail address. */
export async function searchPeople(db: Db, ownerId: Id, keyword: string): Promise<RecordedPerson[]> {
  const found = await Promise.all(
    personKinds().map(kind =>
      readKind(
        db,
        ownerId,
        kind,
        anyOf([
          sql`strpos(t.${sql.id(kind.name)}, ${keyword}) > 0`,
          ...equalsAnyText(kind.mobiles, [keyword]),
          ...equalsAnyText(kind.idCards, [keyword]),
          ...equalsAnyText(kind.emails, [keyword]),
        ]),
        20,
      ),
    ),
  )
  return found.flat()
}

/** Everybody who has something in common with these identifiers. */
async function readSimilar(db: Db, ownerId: Id, of: Identifiers): Promise<RecordedPerson[]> {
  const found = await Promise.all(
    personKinds().map(kind =>
      readKind(
        db,
        ownerId,
        kind,
        anyOf([
          ...equalsAnyText([kind.name], of.names),
          ...equalsAnyText(kind.mobiles, of.mobiles),
          ...equalsAnyText(kind.idCards, of.idCards),
          ...equalsAnyText(kind.emails, of.emails),
        ]),
        500,
      ),
    ),
  )
  return found.flat()
}

const contactOf = (name: string, mobile: string): RecordedPerson => ({
  entity: contactKind,
  id: 0,
  name,
  isDeleted: false,
  names: name ? [name] : [],
  mobiles: [mobile],
  idCards: [],
  emails: [],
})

export interface PersonKey {
  readonly entity: string
  readonly id: Id
  readonly name?: string | undefined
  readonly mobile?: string | undefined
}

async function requireRecord(db: Db, ownerId: Id, { entity, id, name, mobile }: PersonKey) {
  if (entity === contactKind) {
    if (mobile === undefined || !isTelephone(mobile))
      throw invalidInput([{ Field: 'PersonMobile', Message: '请填写完整的电话号码' }])
    return contactOf(name ?? '', mobile)
  }
  const kind = personKinds().find(each => each.entity === entity)
  const [record] = kind ? await readKind(db, ownerId, kind, sql`t.id = ${id}`, 1) : []
  if (!record) throw notFound()
  return record
}

/** The person behind a record, with the other records of the same person. */
export async function requirePerson(db: Db, ownerId: Id, key: PersonKey): Promise<Person> {
  const first = await requireRecord(db, ownerId, key)
  const isFirst = (each: PersonRecord): boolean => each.entity === first.entity && each.id === first.id
  let similar: RecordedPerson[] = []
  let records: RecordedPerson[] = [first]
  // A record that joins brings identifiers of its own, by which more may join.
  for (let known = 0; known !== records.length;) {
    known = records.length
    similar = (await readSimilar(db, ownerId, joinIdentifiers(records))).filter(each => !isFirst(each))
    records = recordsOfPerson(first, [first, ...similar])
  }
  const isOwn = new Set(records)
  const all = joinIdentifiers(records)
  return {
    ownerId,
    records,
    all,
    exclusive: exclusiveIdentifiers(
      all,
      similar.filter(each => !isOwn.has(each)),
    ),
  }
}

/** The records of one kind, as the declarations of the modules take them. */
export function peopleOfKind(
  { ownerId, records, all, exclusive }: Person,
  entity: string,
): PeopleOfKind | undefined {
  const ids = records.filter(each => each.entity === entity).map(each => each.id)
  if (!ids.length && entity !== anyone) return undefined
  return { ownerId, ids, names: all.names, ownNames: exclusive.names, ownMobiles: exclusive.mobiles }
}

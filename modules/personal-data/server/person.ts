import type { Id } from '#kit/domain/id.ts'
import { invalidInput, notFound } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { anyone, type PeopleOfKind, type PersonKind } from '#kit/server/personal-data/declaration.ts'
import { peopleSearches, personKinds } from '#kit/server/personal-data/registry.ts'
import {
  exclusiveIdentifiers,
  isTelephone,
  isWholeNumber,
  joinIdentifiers,
  noIdentifiers,
  recordsOfPerson,
  type Identifiers,
  type PersonRecord,
} from '../domain/identifiers.ts'
import { anyOf } from './column-values.ts'
import { findFormerIds, readFormerIdentifiers, readMerged } from './former-identifiers.ts'

/** Somebody whom no entity records: known by a telephone that stands in some record. */
export const contactKind = 'contact'

export interface RecordedPerson extends PersonRecord {
  readonly name: string
  readonly place?: string
  readonly isDeleted: boolean
}

/** Rows of others that somebody has confirmed to speak of the person: keys by table. */
export type ConfirmedRows = ReadonlyMap<string, readonly string[]>

/** A person with all records of the company, and with what identifies the person alone. */
export interface Person {
  readonly ownerId: Id
  readonly records: readonly RecordedPerson[]
  /** Those of earlier days too. */
  readonly all: Identifiers
  readonly exclusive: Identifiers
  /** What stands in place of the name once the person is erased. */
  readonly code: string
  readonly confirmed: ConfirmedRows
}

export const confirmedKeys = ({ confirmed }: Person, table: string): readonly string[] =>
  confirmed.get(table) ?? []

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
    where t.owner_id = ${ownerId} and t.delete_tag >= 0 and ${kind.naming ?? sql`true`} and (${condition})
    order by t.delete_tag, t.id desc
    limit ${limit}
  `)
  return rows.map(({ deleteTag, name, ...row }) => ({
    ...noIdentifiers,
    ...row,
    entity: kind.entity,
    name,
    names: [name],
    isDeleted: deleteTag !== 0,
  }))
}

const equalsAnyText = (columns: readonly string[] = [], texts: readonly string[]): RawBuilder<unknown>[] =>
  texts.length ? columns.map(column => sql`t.${sql.id(column)} = any(${[...texts]}::text[])`) : []

/**
 * By a part of the name, or by a whole telephone, document or e-mail address, those of earlier days too; by
 * what else modules know people by.
 */
export async function searchPeople(db: Db, ownerId: Id, keyword: string): Promise<RecordedPerson[]> {
  const isNumber = isWholeNumber(keyword)
  const searches = peopleSearches().map(search => search.conditions(ownerId, keyword))
  const found = await Promise.all(
    personKinds().map(async kind => {
      const limit = kind.isRepeated ? 200 : 20
      const former = isNumber ? await findFormerIds(db, ownerId, kind, keyword, limit) : []
      const conditions = [
        sql`strpos(t.${sql.id(kind.name)}, ${keyword}) > 0`,
        ...equalsAnyText(kind.mobiles, [keyword]),
        ...equalsAnyText(kind.idCards, [keyword]),
        ...equalsAnyText(kind.emails, [keyword]),
        ...(former.length ? [sql`t.id = any(${former}::bigint[])`] : []),
        ...searches.flatMap(byKind => byKind[kind.entity] ?? []),
      ]
      return readKind(db, ownerId, kind, anyOf(conditions), limit)
    }),
  )
  return found.map(latestOfEach).flatMap(records => records.slice(0, 20))
}

/** Of somebody with a record for each time the latest one. */
export function latestOfEach(records: readonly RecordedPerson[]): RecordedPerson[] {
  const repeated = new Set(personKinds().flatMap(kind => (kind.isRepeated ? [kind.entity] : [])))
  const seen = new Set<string>()
  return records.filter(({ entity, name, mobiles, idCards }) => {
    if (!repeated.has(entity)) return true
    const key = JSON.stringify([entity, name, mobiles, idCards])
    const isLatest = !seen.has(key)
    seen.add(key)
    return isLatest
  })
}

/** Everybody who has something in common with these identifiers. */
async function readSimilar(
  db: Db,
  ownerId: Id,
  of: Identifiers,
  known: readonly PersonRecord[],
): Promise<RecordedPerson[]> {
  const found = await Promise.all(
    personKinds().map(kind => {
      const ids = known.flatMap(each => (each.entity === kind.entity ? [each.id] : []))
      const isSimilar = anyOf([
        ...equalsAnyText([kind.name], of.names),
        ...equalsAnyText(kind.mobiles, of.mobiles),
        ...equalsAnyText(kind.idCards, of.idCards),
        ...equalsAnyText(kind.emails, of.emails),
      ])
      return readKind(db, ownerId, kind, sql`${isSimilar} and t.id <> all(${ids}::bigint[])`, 500)
    }),
  )
  return found.flat()
}

const contactOf = (name: string, mobile: string): RecordedPerson => ({
  entity: contactKind,
  id: 0,
  name,
  isDeleted: false,
  ...noIdentifiers,
  names: name ? [name] : [],
  mobiles: [mobile],
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

const isConfirmedRecord = ({ entity, id }: PersonRecord, confirmed: ConfirmedRows): boolean => {
  const table = personKinds().find(kind => kind.entity === entity)?.table ?? ''
  return confirmed.get(table)?.includes(String(id)) ?? false
}

/** Records that were merged into these, or into which these were. */
async function readMergedRecords(
  db: Db,
  ownerId: Id,
  records: readonly RecordedPerson[],
): Promise<RecordedPerson[]> {
  const found: RecordedPerson[] = []
  for (const kind of personKinds()) {
    const own = records.filter(each => each.entity === kind.entity)
    const ids = own.length
      ? await readMerged(
          db,
          ownerId,
          kind,
          own.map(each => each.id),
        )
      : []
    const others = ids.filter(id => !own.some(each => each.id === id))
    if (others.length) {
      found.push(...(await readKind(db, ownerId, kind, sql`t.id = any(${others}::bigint[])`, 500)))
    }
  }
  return found
}

/**
 * The person behind a record, with the other records of the same person, and with earlier names and
 * numbers. Of `others` it is known already that they are the person's.
 */
export async function requirePerson(
  db: Db,
  ownerId: Id,
  key: PersonKey,
  confirmed: ConfirmedRows = new Map(),
  others: readonly PersonKey[] = [],
): Promise<Person> {
  let similar: RecordedPerson[] = []
  let records: RecordedPerson[] = []
  for (const each of [key, ...others]) {
    records.push(await requireRecord(db, ownerId, each))
  }
  // A record that joins brings identifiers of its own, by which more may join.
  for (let known = 0; known !== records.length;) {
    known = records.length
    similar = await readSimilar(db, ownerId, joinIdentifiers(records), records)
    records = [...records, ...recordsOfPerson(records, similar)]
    records.push(...(await readMergedRecords(db, ownerId, records)))
  }
  const former = await readFormerIdentifiers(db, ownerId, records)
  const all = joinIdentifiers([...records, former])
  // A record of somebody else in which a number was confirmed to be the person's keeps it from nothing.
  const strangers = (await readSimilar(db, ownerId, all, records)).filter(
    each => !isConfirmedRecord(each, confirmed),
  )
  return {
    ownerId,
    records,
    all,
    exclusive: exclusiveIdentifiers(all, strangers),
    code: '',
    confirmed,
  }
}

/** Locks the records of the person, table by table and in the order of their numbers. */
export async function lockRecords(tx: Tx, { ownerId, records }: Person): Promise<void> {
  for (const { entity, table } of personKinds().toSorted((a, b) => (a.table < b.table ? -1 : 1))) {
    const ids = records.flatMap(each => (each.entity === entity ? [each.id] : []))
    if (ids.length) {
      await tx.rows(sql`
        select id
        from ${sql.table(table)}
        where owner_id = ${ownerId} and id = any(${ids}::bigint[])
        order by id
        for update
      `)
    }
  }
}

/** With what is to stand in place of the name, and with the rows of others that speak of the person. */
export const toErase = (person: Person, code: string, confirmed: ConfirmedRows): Person => ({
  ...person,
  code,
  confirmed,
})

/** With the plates of the person's cars. */
export const withPlates = (person: Person, plates: readonly string[]): Person => {
  const cars = { ...noIdentifiers, plates }
  return {
    ...person,
    all: joinIdentifiers([person.all, cars]),
    exclusive: joinIdentifiers([person.exclusive, cars]),
  }
}

/** The records of one kind, as the declarations of the modules take them. */
export function peopleOfKind(person: Person, entity: string): PeopleOfKind | undefined {
  const { ownerId, records, all } = person
  const ids = records.filter(each => each.entity === entity).map(each => each.id)
  if (!ids.length && entity !== anyone) return undefined
  return {
    ownerId,
    ids,
    names: all.names,
    numbers: [...all.mobiles, ...all.idCards],
    confirmed: table => confirmedKeys(person, table),
  }
}

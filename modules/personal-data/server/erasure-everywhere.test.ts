import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import type { ColumnRole, PersonalTable } from '#kit/server/personal-data/declaration.ts'
import { personalTables, personKinds } from '#kit/server/personal-data/registry.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import {
  approveErasure,
  executeErasure,
  listHeld,
  listMentions,
  previewErasure,
  registerErasure,
  saveMentions,
} from '../contract/erasure.ts'
import { menu } from '../module.ts'
import { readCatalogue, type StoredColumn, type StoredTable } from './catalogue.ts'

/** Somebody of whom something stands in every table that can hold something of a person. */
const person = {
  name: '欧阳无痕',
  mobile: '13911112222',
  certNo: 'PX7654321',
  email: 'wuhen@person.example',
  plate: '苏E9K8L7',
  formerName: '欧阳旧名',
  formerMobile: '13911113333',
}
const secrets = Object.values(person)

let t: GoldenApp
let me: CallOptions
let client: pg.Client
let tables: ReadonlyMap<string, StoredTable>
/** Columns that fill themselves, as `table.column`. */
let filled: ReadonlySet<string>
let counter = 700_000

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
  client = new pg.Client(t.database.url)
  await client.connect()
  await client.query(`select set_config('app.owner_id', '*', false)`)
  // Rows of every table without all that they refer to.
  const { rows: references } = await client.query<{ table: string; name: string }>(`
    select c.conrelid::regclass::text as table, c.conname as name
    from pg_constraint c
    join pg_class r on r.oid = c.conrelid and not r.relispartition
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace
  `)
  for (const { table, name } of references) {
    await client.query(`alter table ${table} drop constraint "${name}"`)
  }
  const { rows: defaults } = await client.query<{ name: string }>(`
    select table_name || '.' || column_name as name
    from information_schema.columns
    where table_schema = 'public'
      and (column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS')
  `)
  filled = new Set(defaults.map(row => row.name))
  tables = await readCatalogue(t.database.reader(t.ownerId))
})

afterAll(async () => {
  await client?.end()
  await t?.close()
})

const everything = Object.values(person).join('，')
const document = JSON.stringify({
  PayerName: person.name,
  Phone: person.mobile,
  Nested: [{ Remark: everything, CertNo: person.certNo }],
  Former: person.formerName,
})

/** What a row without a person has in a column that must not be empty. */
function plainValue({ type }: StoredColumn): string {
  counter++
  if (type === 'smallint') return '10'
  if (type === 'boolean') return 'false'
  if (type === 'text[]' || type.endsWith('[]')) return '{}'
  if (type.startsWith('json')) return '{}'
  if (type === 'date') return '2026-11-01'
  if (type.startsWith('timestamp')) return '2026-11-01 08:00:00+08'
  if (type.startsWith('numeric')) return '1'
  if (type === 'bytea') return '\\x00'
  return String(counter)
}

const saveFile = (): Promise<string> =>
  t.app.files.save(t.ownerId, t.managerId, {
    name: `照片${counter++}.jpg`,
    type: 'image/jpeg',
    bytes: Buffer.from(everything),
  })

async function personalValue(role: ColumnRole, { type }: StoredColumn): Promise<string | undefined> {
  const isList = type === 'text[]'
  if (type.startsWith('json')) return role === 'kept' ? undefined : document
  if (type !== 'text' && !isList) return undefined
  const texts: Readonly<Record<string, string>> = {
    name: person.name,
    keptName: person.name,
    named: person.name,
    mobile: person.mobile,
    idCard: person.certNo,
    email: person.email,
    detail: everything,
    text: everything,
    note: everything,
    json: document,
  }
  if (role === 'files' || role === 'bulkFiles') {
    const key = await saveFile()
    return isList ? `{${key}}` : key
  }
  const text = typeof role === 'string' ? texts[role] : undefined
  return text === undefined ? undefined : isList ? `{"${text}"}` : text
}

type Links = Readonly<Record<string, string | number>>

/** A row with the person in every personal column. */
async function addRow(name: string, declared: PersonalTable, links: Links, hasFiles = true): Promise<string> {
  const stored = defined(tables.get(name))
  const values = new Map<string, string>()
  for (const [column, each] of stored.columns) {
    if (column === 'id') continue
    const role = declared.columns[column]
    // A file in a row that is somebody else's is somebody else's.
    const isPersonal = role !== undefined && (hasFiles || role !== 'files')
    const value = isPersonal ? await personalValue(role, each) : undefined
    if (value !== undefined) {
      values.set(column, value)
    } else if (each.isRequired && !filled.has(`${name}.${column}`)) {
      values.set(column, plainValue(each))
    }
  }
  values.set('owner_id', String(t.ownerId))
  if (stored.columns.has('delete_tag')) {
    values.set('delete_tag', '0')
  }
  if (stored.columns.has('project_code')) {
    values.set('project_code', 'GOLD0001')
  }
  for (const [column, value] of Object.entries(links)) {
    if (stored.columns.has(column)) {
      values.set(column, String(value))
    }
  }
  const names = [...values.keys()]
  return insertRow(
    `insert into "${name}" (${names.map(each => `"${each}"`).join(', ')})
    values (${names.map((_, i) => `$${i + 1}`).join(', ')})
    returning ${stored.columns.has('id') ? 'id' : '1 as id'}`,
    [...values.values()],
  )
}

/** Rows that the product would not write so: what forbids them goes. */
async function insertRow(statement: string, values: readonly string[]): Promise<string> {
  for (;;) {
    try {
      const { rows } = await client.query(statement, [...values])
      return String(rows[0].id)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
      const { code, constraint } = error
      if (constraint === undefined || (code !== '23505' && code !== '23514'))
        throw new Error(statement, { cause: error })
      const table = /^insert into ("\w+")/.exec(statement)?.[1]
      await client.query(
        code === '23505'
          ? `drop index "${constraint}"`
          : `alter table ${table} drop constraint "${constraint}"`,
      )
    }
  }
}

/** Settled: nothing keeps from erasing. */
const settled: Readonly<Record<string, Links>> = {
  bill: { pay_state: 1, state: 20 },
  deposit: { balance: 0, amount: 1, refunded: 1 },
  prestore_account: { balance: 0, gift_balance: 0 },
  fee_refund: { state: 30 },
  pay_order: { state: 20 },
  prestore_transfer: { state: 20 },
  work_order: { state: 80 },
  user_room: { status: 30 },
  identity_card: { state: 30 },
  face_key: { state: 40 },
  manager: { state: 20 },
  staff: { state: 30 },
  company_worker: { state: 20 },
  merchant_staff: { state: 20 },
  process_instance: { state: 30 },
  process_task: { state: 30 },
  task_center: { state: 30 },
  access_record: { person_kind: 10 },
  invite_visitor: { state: 60 },
  visit_record: { state: 20 },
  car: { car_state: 50 },
  car_group: { state: 20 },
}

/** Digests and keys: nobody types anything there, so rows of others hold nothing of the person. */
const writtenByProgram = new Set(['manager_secret', 'notification_setting'])

const parentIds = new Map<string, string>()

/** The columns by which rows refer to the records of the person. */
function linksOf(
  ids: Readonly<Record<string, Id>>,
  room: { readonly id: string; readonly code: string },
): Links {
  const resident = Number(ids.resident)
  const manager = Number(ids.manager)
  return {
    room_id: room.id,
    room_code: room.code,
    user_id: resident,
    payer_id: resident,
    payer_kind: 1,
    reporter_id: resident,
    host_user_id: resident,
    visitor_id: Number(ids.inviteVisitor),
    car_id: Number(ids.car),
    person_id: resident,
    person_kind: 'resident',
    entity: 'resident',
    entity_id: resident,
    type: 'resident.updated',
    subject_id: resident,
    owner_kind: 20,
    owner_code: String(resident),
    user_kind: 10,
    old_ref: resident,
    new_ref: resident,
    main_owner_id: resident,
    staff_id: Number(ids.staff),
    manager_id: manager,
    applicant_id: manager,
    approver_id: manager,
    author_id: manager,
    operator_id: manager,
    buyer_id: manager,
    principal_id: manager,
  }
}

/** Which of the texts stand in a table, for the message of a failure. */
const details = new Map<string, string[]>()

/** Where a text stands in the whole database: the tables, whatever the column. */
async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const { rows: names } = await client.query<{ name: string }>(`
    select c.relname as name
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1
  `)
  const found: string[] = []
  for (const { name } of names) {
    const { rows } = await client.query<{ text: string }>(
      `select distinct x as text from "${name}" t, unnest($1::text[]) x where strpos(t::text, x) > 0 order by 1`,
      [texts],
    )
    if (rows.length) {
      found.push(name)
      details.set(
        name,
        rows.map(row => row.text),
      )
    }
  }
  return found
}

async function filesWith(folder: string, texts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path)
    if (texts.some(text => content.includes(text))) {
      found.push(path)
    }
  }
  return found
}

const moneySums = async () => {
  const { rows } = await client.query(`
    select (select sum(amount) from bill) as billed, (select sum(unpaid) from bill) as unpaid,
      (select sum(paid_principal) from bill) as paid, (select sum(principal_amount) from pay_record) as received,
      (select sum(amount) from fee_refund) as refunded, (select sum(balance) from prestore_account) as prestored,
      (select sum(amount) from deposit) as deposits, (select sum(total_amount) from invoice_record) as invoiced
  `)
  return rows[0]
}

it('nothing of a person of whom every table holds something is left, in the database and the files', async () => {
  const ids: Record<string, Id> = {}
  const declared = new Map(personalTables())
  for (const kind of personKinds()) {
    const row = await addRow(kind.table, defined(declared.get(kind.table)), {
      ...settled[kind.table],
      ...(kind.entity === 'companyWorker' ? { user_id: 0 } : {}),
    })
    ids[kind.entity] = asId(Number(row))
  }
  // One name and one telephone in all records; each number of a second telephone is the person's as well.
  const residentId = defined(ids.resident)
  await client.query(
    `insert into audit_log (owner_id, operator_id, operator_name, action, entity, entity_id, before, after)
    values ($1, 1, '操作员', 'update', 'resident', $2, $3, $4)`,
    [
      t.ownerId,
      residentId,
      JSON.stringify({ name: person.formerName, mobile: person.formerMobile, address: everything }),
      JSON.stringify({ name: person.name, mobile: person.mobile }),
    ],
  )
  const { rows: rooms } = await client.query<{ id: string; code: string }>(
    'select id::text as id, code from room where owner_id = $1 order by id limit 1',
    [t.ownerId],
  )
  const links = linksOf(ids, defined(rooms[0]))
  const kindTables = new Set(personKinds().map(kind => kind.table))
  // Children after their parents: a row of another table is named by its number.
  const order = [...declared].toSorted(
    ([, a], [, b]) => Number(Boolean(a.ownWith)) - Number(Boolean(b.ownWith)),
  )
  for (const [name, table] of order) {
    if (kindTables.has(name) || name === 'personal_data_hold' || name === 'erasure_request') continue
    if (name === 'property') {
      await client.query('update property set contact_name = $1, contact_phone = $2 where owner_id = $3', [
        person.name,
        person.mobile,
        t.ownerId,
      ])
      continue
    }
    const own = { ...links, ...settled[name] }
    const parent = table.ownWith ? { [table.ownWith[1]]: parentIds.get(table.ownWith[0]) ?? '0' } : {}
    const isLinked = Boolean(table.people ?? table.ownWith ?? table.ownBy ?? table.isEmptied)
    const car: Links = name === 'fee_relation' ? { source_type: 20, source_name: person.plate } : {}
    parentIds.set(name, await addRow(name, table, { ...own, ...parent, ...car }, isLinked))
    // The same again, and nothing but the texts leads to the person.
    if (writtenByProgram.has(name)) continue
    const others = { ...settled[name], payer_kind: 2, user_kind: 30, owner_kind: 10 }
    await addRow(name, table, others, Boolean(table.ownBy ?? table.isEmptied))
  }
  const before = await moneySums()
  const holding = await tablesWith(secrets)
  for (const [name, table] of declared) {
    if (name === 'personal_data_hold' || name === 'erasure_request') continue
    const isWritten = Object.entries(table.columns).some(
      ([column, role]) =>
        typeof role === 'string' &&
        !['kept', 'files', 'keptFiles', 'bulkFiles'].includes(role) &&
        /^(text|json)/.test(tables.get(name)?.columns.get(column)?.type ?? ''),
    )
    if (!isWritten) continue
    expect(holding, name).toContain(name)
  }
  const key = { personKind: 'resident', personId: residentId }
  const { id } = await t.call(
    registerErasure,
    { ...key, applicant: 'self', reason: `${person.name}要求删除` },
    me,
  )
  const { blockers } = await t.call(previewErasure, { id }, me)
  expect(blockers).toEqual([])
  const { mentions } = await t.call(listMentions, { id }, me)
  expect(mentions.length).toBeGreaterThan(40)
  await t.call(
    saveMentions,
    { id, mentions: mentions.map(({ tableName, rowKey }) => ({ tableName, rowKey })) },
    me,
  )
  const clerk = await t.addClerk([
    menu.erasure.permissions.view.key,
    menu.erasure.permissions.approve.key,
    menu.erasure.permissions.execute.key,
  ])
  await t.call(approveErasure, { id }, clerk.as)
  await t.call(executeErasure, { id, confirmed: true, personName: person.name }, clerk.as)
  const left = await tablesWith(secrets)
  expect(left.map(name => [name, ...(details.get(name) ?? [])])).toEqual([
    ['personal_data_hold', person.name],
  ])
  expect(await moneySums()).toEqual(before)
  await t.app.files.sweep()
  expect(await filesWith(t.app.dataDir, secrets)).toEqual([])
  const vouchers = await t.call(listHeld, { id }, me)
  expect(vouchers.some(voucher => voucher.keptName?.includes(person.name))).toBe(true)
  const rows = await t.database.reader(t.ownerId).rows<{ name: string }>(sql`
    select name from resident where owner_id = ${t.ownerId} and id = ${residentId}
  `)
  expect(rows).toEqual([{ name: `注销人员${id}` }])
})

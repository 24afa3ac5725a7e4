import type { GoldenApp } from '#db/golden/golden-app.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Database } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { addResident, type Resident } from '#modules/residents/contract/resident.ts'
import {
  approveErasure,
  executeErasure,
  listMentions,
  registerErasure,
  saveMentions,
} from '../contract/erasure.ts'
import { menu } from '../module.ts'

/** Everything that is stored, a line for each row that holds one of the texts. */
export async function linesOf(database: Database, ...texts: string[]): Promise<string[]> {
  // A connection of the pool knows the tables already, a new one would have to read about each of them.
  const db = database.reader('*')
  // A table without a page holds nothing: most are empty, and planning to read them takes longest.
  const tables = await db.rows<{ name: string; part: string }>(sql`
    select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name, c.oid::regclass::text as part
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_relation_size(c.oid) > 0
  `)
  const parts = tables.map(
    ({ name, part }) => sql`
      select ${name}::text || ': ' || t::text as line from ${sql.raw(part)} t where t::text ~ ${texts.join('|')}
    `,
  )
  const rows = await db.rows<{ line: string }>(sql.join(parts, sql` union all `))
  return rows.map(({ line }) => line)
}

export type KnownPerson = Resident & { readonly mobile: string }

export interface Erasures {
  readonly me: CallOptions
  readonly approver: CallOptions
  addPerson(name: string, mobile: string): Promise<KnownPerson>
  /** A request that waits for its execution; all that may be meant is confirmed. */
  approved(person: ApprovedPerson): Promise<Id>
  execute(id: Id, personName: string): Promise<unknown>
  addSuggestion(userName: string, mobile: string, content: string): Promise<number>
}

interface ApprovedPerson {
  readonly personKind?: string
  readonly id: Id
  readonly name?: string
  readonly mobile?: string
}

/** Requests as two people make them. */
export async function openErasures(t: GoldenApp): Promise<Erasures> {
  const me = await t.owner
  const { permissions } = menu.erasure
  const approver = (await t.addClerk([permissions.view.key, permissions.approve.key])).as
  return {
    me,
    approver,
    addPerson: async (name, mobile) => {
      const input = { homeProject: 'GOLD0001', name, mobile, userType: 'person', state: 'normal' } as const
      return { ...(await t.call(addResident, input, me)), mobile }
    },
    approved: async ({ personKind = 'resident', id: personId, name, mobile }) => {
      const contact = personKind === 'contact' ? { personName: name, personMobile: mobile } : {}
      const key = { personKind, personId, ...contact }
      const { id } = await t.call(registerErasure, { ...key, applicant: 'self', reason: '本人要求删除' }, me)
      const { mentions } = await t.call(listMentions, { id }, me)
      const confirmed = mentions.map(({ tableName, rowKey }) => ({ tableName, rowKey }))
      await t.call(saveMentions, { id, mentions: confirmed }, me)
      await t.call(approveErasure, { id }, approver)
      return id
    },
    execute: (id, personName) => t.call(executeErasure, { id, confirmed: true, personName }, me),
    addSuggestion: (userName, mobile, content) =>
      t.database.tx(t.ownerId, tx =>
        tx.execute(sql`
          insert into property_suggest (owner_id, project_code, user_kind, user_id, user_name, mobile, content)
          values (${t.ownerId}, 'GOLD0001', 20, 0, ${userName}, ${mobile}, ${content})
        `),
      ),
  }
}

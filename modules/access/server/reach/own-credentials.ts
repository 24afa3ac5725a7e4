import { keyOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { faceKey, identityCard } from '#modules/residents/contract/card.ts'
import { cardState, faceState } from '#modules/residents/contract/labels.ts'
import { passCodeState } from '../../contract/choices.ts'
import { passCode } from '../../contract/pass-code.ts'
import { keyOfCredential, registerCredentialSource, valuesOfKind } from './credential-source.ts'
import type { Holders, ReachQuery, Sql } from './query.ts'

/**
 * What a phone or a finger opens is what the cards and faces of its person open: the groups that they name,
 * while they are valid, beside what follows from the home, the job and VIP doors. `c`: whose.
 */
export const groupsOfHolder = (
  { ownerId, projectCode, today }: ReachQuery,
  userId: Sql,
  staffId: Sql,
): Sql => {
  const isInEffect = sql`
    i.owner_id = ${ownerId}
    and i.project_code = ${projectCode}
    and ${notDeleted('i')}
    and (i.begin_date is null or i.begin_date <= ${today}::date)
    and (i.end_date is null or i.end_date >= ${today}::date)
    and (i.user_id = ${userId} or i.staff_id = ${staffId})
  `
  return sql`
    array(
      select unnest(i.doorway_group_ids)
      from identity_card i
      where ${isInEffect} and i.state = ${code(cardState, 'normal')}
      union
      select unnest(i.doorway_group_ids)
      from face_key i
      where ${isInEffect} and i.state in ${codes(faceState, 'waiting', 'good', 'failed')}
    )
  `
}

const passKeys = (from: Sql, condition: Sql): Sql => sql`
  select c.project_code, 'pass:' || c.run_code as item_key from ${from} where ${condition}
`

const ofHolders = ({ userIds = [], staffIds = [] }: Holders): Sql =>
  sql`(c.user_id = any(${[...userIds]}::bigint[]) or c.staff_id = any(${[...staffIds]}::bigint[]))`

/** Codes of those whose cards or faces changed: the groups of these count for them. */
const keysByCredential =
  (table: 'identity_card' | 'face_key') =>
  (ownerId: Id, ids: readonly Id[]): Sql =>
    passKeys(
      sql`${sql.ref(table)} i join pass_code c on c.owner_id = ${ownerId}
        and c.project_code = i.project_code
        and c.state = ${code(passCodeState, 'valid')}
        and (c.user_id = i.user_id or c.staff_id = i.staff_id)`,
      sql`i.owner_id = ${ownerId} and i.id = any(${[...ids]}::bigint[])`,
    )

registerCredentialSource({
  kind: 'pass',
  entity: passCode.name,
  select: query => [
    {
      columns: {
        itemKey: sql`'pass:' || c.run_code`,
        id: sql`c.id`,
        number: sql`c.run_code`,
        userId: sql`c.user_id`,
        staffId: sql`c.staff_id`,
        groupIds: groupsOfHolder(query, sql`c.user_id`, sql`c.staff_id`),
        endDate: sql`c.end_date`,
      },
      from: sql`
    from pass_code c
    where c.owner_id = ${query.ownerId}
      and c.project_code = ${query.projectCode}
      and ${notDeleted('c')}
      and c.state = ${code(passCodeState, 'valid')}
      and c.end_date >= ${query.today}::date
      ${query.keys ? sql`and c.run_code = any(${valuesOfKind(query.keys, 'pass')}::text[])` : sql``}
      ${query.userId === undefined ? sql`` : sql`and c.user_id = ${query.userId}`}
      ${query.staffId === undefined ? sql`` : sql`and c.staff_id = ${query.staffId}`}
  `,
    },
  ],
  selectKeys: (ownerId, holders) =>
    passKeys(sql`pass_code c`, sql`c.owner_id = ${ownerId} and ${ofHolders(holders)}`),
  selectKeysOf: (ownerId, ids) =>
    passKeys(sql`pass_code c`, sql`c.owner_id = ${ownerId} and c.id = any(${[...ids]}::bigint[])`),
  selectKeysBy: {
    [identityCard.name]: keysByCredential('identity_card'),
    [faceKey.name]: keysByCredential('face_key'),
  },
  selectHolders: (ownerId, projectCode, keys) => sql`
    select 'pass:' || c.run_code as item_key, c.user_id, c.staff_id, c.run_code as number,
      null::text as holder_name
    from pass_code c
    where c.owner_id = ${ownerId}
      and c.project_code = ${projectCode}
      and c.run_code = any(${valuesOfKind(keys, 'pass')}::text[])
  `,
  explain: async (db, { ownerId, projectCode, key, today }) => {
    const found = await db.one<{ state: number; endDate: Day }>(sql`
      select state, end_date
      from pass_code
      where owner_id = ${ownerId}
        and project_code = ${projectCode}
        and run_code = any(${valuesOfKind([key], 'pass')}::text[])
    `)
    const state = found && keyOf(passCodeState, found.state)
    if (!found || !state) return '通行码不存在'
    if (state !== 'valid') return { revoked: '通行码已停用', replaced: '通行码已更换' }[state]
    return found.endDate < today ? '通行码已过期' : undefined
  },
})

/** The person as a key: a telephone opens for who holds it, without a credential that devices have. */
export const phoneKeyOf = ({
  userId,
  staffId,
}: {
  readonly userId?: Id | undefined
  readonly staffId?: Id | undefined
}): string => keyOfCredential('phone', userId === undefined ? `s${staffId}` : `u${userId}`)

const idsIn = (keys: readonly string[] | undefined, letter: 'u' | 's'): Id[] =>
  valuesOfKind(keys ?? [], 'phone').flatMap(value =>
    value.startsWith(letter) ? [parseId(value.slice(1))] : [],
  )

// Only where it is asked for by its key: no device holds it.
registerCredentialSource({
  kind: 'phone',
  entity: 'phone',
  select: query => [
    {
      columns: {
        itemKey: sql`'phone:u' || c.id`,
        id: sql`c.id`,
        userId: sql`c.id`,
        groupIds: groupsOfHolder(query, sql`c.id`, sql`null::bigint`),
      },
      from: sql`
        from resident c
        where c.owner_id = ${query.ownerId} and c.id = any(${idsIn(query.keys, 'u')}::bigint[])
      `,
    },
    {
      columns: {
        itemKey: sql`'phone:s' || c.id`,
        id: sql`c.id`,
        staffId: sql`c.id`,
        groupIds: groupsOfHolder(query, sql`null::bigint`, sql`c.id`),
      },
      from: sql`
        from staff c
        where c.owner_id = ${query.ownerId} and c.id = any(${idsIn(query.keys, 's')}::bigint[])
      `,
    },
  ],
  selectKeys: ownerId => passKeys(sql`pass_code c`, sql`c.owner_id = ${ownerId} and false`),
  selectKeysOf: ownerId => passKeys(sql`pass_code c`, sql`c.owner_id = ${ownerId} and false`),
  explain: async () => undefined,
})

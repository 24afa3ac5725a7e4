import { keyOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { faceKey, identityCard } from '#modules/residents/contract/card.ts'
import { passCodeState } from '../../contract/choices.ts'
import { passCode } from '../../contract/pass-code.ts'
import { keyOfCredential, registerCredentialSource, valuesOfKind } from './credential-source.ts'
import { idsOfLetter, isCardInUse, isCurrent, isFaceInUse, ofHolder, ofHolders } from './holder-condition.ts'
import type { ReachQuery, Sql } from './query.ts'

/**
 * What a phone or a finger opens is what the cards and faces of its person open: the groups that they name,
 * while they are valid, beside what follows from the home, the job and VIP doors. `c`: whose.
 */
export const groupsOfHolder = (query: ReachQuery, userId: Sql, staffId: Sql): Sql => {
  const isInEffect = sql`${isCurrent(query)} and (i.user_id = ${userId} or i.staff_id = ${staffId})`
  return sql`
    array(
      select unnest(i.doorway_group_ids)
      from identity_card i
      where ${isInEffect} and ${isCardInUse}
      union
      select unnest(i.doorway_group_ids)
      from face_key i
      where ${isInEffect} and ${isFaceInUse}
    )
  `
}

const passKeys = (from: Sql, condition: Sql): Sql => sql`
  select c.project_code, 'pass:' || c.run_code as item_key from ${from} where ${condition}
`

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
      ${ofHolder(query)}
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

const noKeys = sql`select null::text as project_code, null::text as item_key where false`

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
        where c.owner_id = ${query.ownerId} and c.id = any(${idsOfLetter(query.keys, 'phone', 'u')}::bigint[])
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
        where c.owner_id = ${query.ownerId} and c.id = any(${idsOfLetter(query.keys, 'phone', 's')}::bigint[])
      `,
    },
  ],
  selectKeys: () => noKeys,
  selectKeysOf: () => noKeys,
  explain: async () => undefined,
})

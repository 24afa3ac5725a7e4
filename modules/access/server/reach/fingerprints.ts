import { labelOf, keyOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { faceKey, identityCard } from '#modules/residents/contract/card.ts'
import { residentFingerprint } from '#modules/residents/contract/fingerprint.ts'
import { staffFingerprint } from '#modules/staff/contract/fingerprint.ts'
import { finger } from '#modules/staff/contract/labels.ts'
import { vipState } from '../../contract/choices.ts'
import { groupsOfHolder } from './own-credentials.ts'
import type { CredentialColumns, CredentialSelect } from './credential-columns.ts'
import { registerCredentialSource, selectOfSource, type CredentialSource } from './credential-source.ts'
import { idsOfLetter, isCardInUse, isCurrent, isFaceInUse, type HolderLetter } from './holder-condition.ts'
import type { Holders, ReachQuery, Sql } from './query.ts'

/** Fingers are stored by the module of their person; the letter tells the two apart. */
const idsIn = (keys: readonly string[], letter: HolderLetter): Id[] =>
  idsOfLetter(keys, 'fingerprint', letter)

const fingerNames = Array.from({ length: 10 }, (_, no) => {
  const key = keyOf(finger, no)
  return key === undefined ? '' : labelOf(finger, key)
})

/** What an item holds of a finger: another template is another version of the item. */
const templateRef = (letter: HolderLetter): Sql => sql`'${sql.raw(letter)}' || c.id || '.' || c.version`

const tableOf = (letter: HolderLetter): Sql =>
  letter === 'u' ? sql`resident_fingerprint` : sql`staff_fingerprint`

const userColumns = sql`c.user_id, null::bigint as staff_id`
const staffColumns = sql`null::bigint as user_id, c.staff_id`

const holderColumns = (letter: HolderLetter): Pick<CredentialColumns, 'userId' | 'staffId'> =>
  letter === 'u' ? { userId: sql`c.user_id` } : { staffId: sql`c.staff_id` }

/** What stands in both tables, of those that a condition names. */
const selectFingers = (
  query: ReachQuery,
  letter: HolderLetter,
  groupIds: Sql,
  condition: Sql,
): CredentialSelect => ({
  columns: {
    itemKey: sql`'fingerprint:${sql.raw(letter)}' || c.id`,
    id: sql`c.id`,
    groupIds,
    number: sql`(${fingerNames}::text[])[c.finger_no + 1]`,
    picture: templateRef(letter),
    ...holderColumns(letter),
  },
  from: sql`
    from ${tableOf(letter)} c
    where c.owner_id = ${query.ownerId}
      and ${notDeleted('c')}
      ${query.keys ? sql`and c.id = any(${idsIn(query.keys, letter)}::bigint[])` : sql``}
      and ${condition}
  `,
})

/** Where somebody has or had a way in: there their fingers are looked at again. */
const projectsOf = (ownerId: Id, holder: 'user_id' | 'staff_id', tables: readonly string[]): Sql =>
  sql.join(
    tables.map(
      table => sql`
        select p.project_code, p.${sql.id(holder)} as holder_id
        from ${sql.ref(table)} p
        where p.owner_id = ${ownerId} and p.${sql.id(holder)} is not null
      `,
    ),
    sql` union `,
  )

const credentialTables = ['identity_card', 'face_key', 'vip_doorway']
const userTables = ['user_room', 'company_worker', ...credentialTables]

const userKeys = (ownerId: Id, condition: Sql): Sql => sql`
  select p.project_code, 'fingerprint:u' || c.id as item_key
  from resident_fingerprint c
  join (${projectsOf(ownerId, 'user_id', userTables)}) p on p.holder_id = c.user_id
  where c.owner_id = ${ownerId} and ${condition}
`

const staffKeys = (ownerId: Id, condition: Sql): Sql => sql`
  select p.project_code, 'fingerprint:s' || c.id as item_key
  from staff_fingerprint c
  join (${projectsOf(ownerId, 'staff_id', credentialTables)}) p on p.holder_id = c.staff_id
  where c.owner_id = ${ownerId} and ${condition}
`

const withIds = (ids: readonly Id[]): Sql => sql`c.id = any(${[...ids]}::bigint[])`

/** Fingers of those whose cards or faces changed: the groups of these count for them. */
const keysByCredential =
  (letter: HolderLetter, table: 'identity_card' | 'face_key') =>
  (ownerId: Id, ids: readonly Id[]): Sql => {
    const [select, holder] = letter === 'u' ? [userKeys, 'user_id'] : [staffKeys, 'staff_id']
    return select(
      ownerId,
      sql`c.${sql.id(holder)} in (
        select i.${sql.id(holder)}
        from ${sql.ref(table)} i
        where i.owner_id = ${ownerId} and i.id = any(${[...ids]}::bigint[])
      )`,
    )
  }

const userGroups = (query: ReachQuery): Sql => groupsOfHolder(query, sql`c.user_id`, sql`null::bigint`)
const staffGroups = (query: ReachQuery): Sql => groupsOfHolder(query, sql`null::bigint`, sql`c.staff_id`)

const ofUsers = (query: ReachQuery): CredentialSelect =>
  selectFingers(
    query,
    'u',
    userGroups(query),
    sql`c.user_id in (
        select p.holder_id
        from (${projectsOf(query.ownerId, 'user_id', userTables)}) p
        where p.project_code = ${query.projectCode}
      )
      ${query.userId === undefined ? sql`` : sql`and c.user_id = ${query.userId}`}
      ${query.staffId === undefined ? sql`` : sql`and false`}`,
  )

/** Staff belong to no project: those whom a card, a face or a VIP door lets into this one now. */
const staffIn = (query: ReachQuery): Sql => {
  const isInEffect = sql`${isCurrent(query)} and i.staff_id is not null`
  return sql`
    select i.staff_id from identity_card i where ${isInEffect} and ${isCardInUse}
    union
    select i.staff_id
    from face_key i
    where ${isInEffect} and ${isFaceInUse}
    union
    select i.staff_id from vip_doorway i where ${isInEffect} and i.state = ${code(vipState, 'valid')}
  `
}

const ofStaff = (query: ReachQuery): CredentialSelect =>
  selectFingers(
    query,
    's',
    staffGroups(query),
    sql`c.staff_id in (${staffIn(query)})
      ${query.staffId === undefined ? sql`` : sql`and c.staff_id = ${query.staffId}`}
      ${query.userId === undefined ? sql`` : sql`and false`}`,
  )

const keysByBoth =
  (table: 'identity_card' | 'face_key') =>
  (ownerId: Id, ids: readonly Id[]): Sql =>
    sql`${keysByCredential('u', table)(ownerId, ids)} union ${keysByCredential('s', table)(ownerId, ids)}`

const holderOf = (ownerId: Id, keys: readonly string[], letter: HolderLetter): Sql => sql`
  select 'fingerprint:${sql.raw(letter)}' || c.id as item_key,
    ${letter === 'u' ? userColumns : staffColumns}, null::text as number, null::text as holder_name
  from ${tableOf(letter)} c
  where c.owner_id = ${ownerId} and c.id = any(${idsIn(keys, letter)}::bigint[])
`

const source: CredentialSource = {
  kind: 'fingerprint',
  entity: residentFingerprint.name,
  select: query => [ofUsers(query), ofStaff(query)],
  selectKeys: (ownerId, { userIds = [], staffIds = [] }: Holders) => sql`
    ${userKeys(ownerId, sql`c.user_id = any(${[...userIds]}::bigint[])`)}
    union
    ${staffKeys(ownerId, sql`c.staff_id = any(${[...staffIds]}::bigint[])`)}
  `,
  selectKeysOf: (ownerId, ids) => userKeys(ownerId, withIds(ids)),
  selectKeysBy: {
    [staffFingerprint.name]: (ownerId, ids) => staffKeys(ownerId, withIds(ids)),
    [identityCard.name]: keysByBoth('identity_card'),
    [faceKey.name]: keysByBoth('face_key'),
  },
  selectHolders: (ownerId, _projectCode, keys) =>
    sql`${holderOf(ownerId, keys, 'u')} union all ${holderOf(ownerId, keys, 's')}`,
  explain: async (db, query) => {
    const { ownerId, key } = query
    const enrolled = await db.one<{ isStaff: boolean }>(sql`
      select false as is_staff
      from resident_fingerprint
      where owner_id = ${ownerId} and id = any(${idsIn([key], 'u')}::bigint[]) and ${notDeleted()}
      union all
      select true
      from staff_fingerprint
      where owner_id = ${ownerId} and id = any(${idsIn([key], 's')}::bigint[]) and ${notDeleted()}
    `)
    if (!enrolled) return '指纹未登记或已删除'
    const here = await db.one(sql`
      select 1 as found from (${selectOfSource(source, { ...query, keys: [key] })}) c
    `)
    if (here) return undefined
    return enrolled.isStaff ? '员工在本项目没有有效的卡、人脸或 VIP 门' : '持有人在本项目没有住处、任职或凭证'
  },
}

registerCredentialSource(source)

import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { publicTime } from '../../contract/public-time.ts'
import { credentialSources } from '../reach/credential-source.ts'
import type { Sql } from '../reach/query.ts'

export interface Mark {
  readonly subject: string
  readonly recordId?: Id
  readonly projectCode?: string
  readonly itemKey?: string
}

/** What has to be computed again in one project. */
export interface AffectedProject {
  readonly projectCode: string
  /** Everything. */
  readonly isWhole: boolean
  /** These credentials, at all devices. */
  readonly keys: readonly string[]
  /** These devices of doors, all credentials. */
  readonly deviceIds: readonly Id[]
  /** The same of other modules. */
  readonly otherDeviceIds: readonly Id[]
}

const ids = (marks: readonly Mark[]): Id[] => [
  ...new Set(marks.flatMap(({ recordId }) => (recordId === undefined ? [] : [recordId]))),
]

type IdsOf = (subject: string) => Id[]

/** Each selects `user_id`; of records that are gone too. */
const residentsBySubject: Readonly<Record<string, (ownerId: Id, found: readonly Id[]) => Sql>> = {
  resident: (_, found) => sql`select r.id as user_id from unnest(${[...found]}::bigint[]) as r(id)`,
  residency: (ownerId, found) => sql`
    select user_id from user_room where owner_id = ${ownerId} and id = any(${[...found]}::bigint[])
  `,
  residencyLog: (ownerId, found) => sql`
    select user_id from user_room_log where owner_id = ${ownerId} and id = any(${[...found]}::bigint[])
  `,
  residentBlock: (ownerId, found) => sql`
    select coalesce(b.user_id, p.id) as user_id
    from user_blocklist b
    left join resident p on p.owner_id = ${ownerId}
      and b.user_id is null
      and (p.mobile = b.mobile or p.cert_no = b.cert_no)
    where b.owner_id = ${ownerId} and b.id = any(${[...found]}::bigint[])
  `,
  companyWorker: (ownerId, found) => sql`
    select user_id from company_worker where owner_id = ${ownerId} and id = any(${[...found]}::bigint[])
  `,
  company: (ownerId, found) => sql`
    select user_id
    from company_worker
    where owner_id = ${ownerId} and company_id = any(${[...found]}::bigint[])
  `,
  companyRoom: (ownerId, found) => sql`
    select w.user_id
    from company_room c
    join company_worker w on w.owner_id = ${ownerId} and w.company_id = c.company_id
    where c.owner_id = ${ownerId} and c.id = any(${[...found]}::bigint[])
  `,
  vipDoorway: (ownerId, found) => sql`
    select user_id from vip_doorway where owner_id = ${ownerId} and id = any(${[...found]}::bigint[])
  `,
}

async function findHolders(tx: Tx, ownerId: Id, idsOf: IdsOf) {
  const parts = Object.entries(residentsBySubject).flatMap(([subject, select]) => {
    const found = idsOf(subject)
    return found.length ? [select(ownerId, found)] : []
  })
  const residents = parts.length
    ? await tx.rows<{ userId: Id }>(sql`
        select distinct p.user_id from (${sql.join(parts, sql` union all `)}) p where p.user_id is not null
      `)
    : []
  const vips = idsOf('vipDoorway')
  const vipStaff = vips.length
    ? await tx.rows<{ staffId: Id }>(sql`
        select staff_id
        from vip_doorway
        where owner_id = ${ownerId} and id = any(${vips}::bigint[]) and staff_id is not null
      `)
    : []
  return {
    userIds: residents.map(({ userId }) => userId),
    staffIds: [...idsOf('staff'), ...vipStaff.map(({ staffId }) => staffId)],
  }
}

interface ProjectKey {
  readonly projectCode: string
  readonly itemKey: string
}

/** Everything that these people have or had, and the cards and faces that changed themselves. */
async function findKeys(tx: Tx, ownerId: Id, idsOf: IdsOf): Promise<ProjectKey[]> {
  const holders = await findHolders(tx, ownerId, idsOf)
  const parts = [
    ...(holders.userIds.length || holders.staffIds.length
      ? credentialSources().map(source => source.selectKeys(ownerId, holders))
      : []),
    ...credentialSources().flatMap(({ entity, selectKeysOf }) =>
      idsOf(entity).length ? [selectKeysOf(ownerId, idsOf(entity))] : [],
    ),
    ...credentialSources().flatMap(({ selectKeysBy = {} }) =>
      Object.entries(selectKeysBy).flatMap(([subject, select]) =>
        idsOf(subject).length ? [select(ownerId, idsOf(subject))] : [],
      ),
    ),
  ]
  return parts.length
    ? tx.rows<ProjectKey>(sql`
        select distinct k.project_code, k.item_key from (${sql.join(parts, sql` union all `)}) k
      `)
    : []
}

interface ProjectDevice {
  readonly projectCode: string
  readonly deviceId: Id
}

/** Devices of doors that changed, those that were bound or unbound, each in the project that it is in. */
async function findDevices(tx: Tx, ownerId: Id, idsOf: IdsOf): Promise<ProjectDevice[]> {
  const [doorways, links, times] = [idsOf('doorway'), idsOf('doorwayDevice'), idsOf(publicTime.name)]
  return doorways.length || links.length || times.length
    ? tx.rows<ProjectDevice>(sql`
        select distinct project_code, device_id
        from doorway_device
        where owner_id = ${ownerId}
          and (
            id = any(${links}::bigint[])
            or (
              ${notDeleted()}
              and (
                doorway_id = any(${doorways}::bigint[])
                or doorway_id in (
                  select p.doorway_id
                  from doorway_public_time p
                  where p.owner_id = ${ownerId} and p.id = any(${times}::bigint[])
                )
              )
            )
          )
      `)
    : []
}

/** What the marks come to, project by project. */
export async function findAffected(tx: Tx, ownerId: Id, marks: readonly Mark[]): Promise<AffectedProject[]> {
  const bySubject = Map.groupBy(marks, ({ subject }) => subject)
  const idsOf: IdsOf = subject => ids(bySubject.get(subject) ?? [])
  const whole = new Set((bySubject.get('project') ?? []).flatMap(({ projectCode }) => projectCode ?? []))
  const named = (bySubject.get('key') ?? []).flatMap(({ projectCode, itemKey }) =>
    projectCode === undefined || itemKey === undefined ? [] : [{ projectCode, itemKey }],
  )
  const keys = Map.groupBy([...named, ...(await findKeys(tx, ownerId, idsOf))], row => row.projectCode)
  const devices = Map.groupBy(await findDevices(tx, ownerId, idsOf), row => row.projectCode)
  const others = Map.groupBy(bySubject.get('device') ?? [], ({ projectCode = '' }) => projectCode)
  const projects = new Set([...whole, ...keys.keys(), ...devices.keys(), ...others.keys()])
  return [...projects].map(projectCode => ({
    projectCode,
    isWhole: whole.has(projectCode),
    keys: [...new Set((keys.get(projectCode) ?? []).map(({ itemKey }) => itemKey))],
    deviceIds: (devices.get(projectCode) ?? []).map(({ deviceId }) => deviceId),
    otherDeviceIds: ids(others.get(projectCode) ?? []),
  }))
}

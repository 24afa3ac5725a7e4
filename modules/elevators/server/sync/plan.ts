import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import {
  planAffected,
  registerDevicePlan,
  type AffectedProject,
  type Sql,
} from '#modules/access/server/public.ts'
import { planDesiredItems } from '#modules/devices/server/public.ts'
import { elevatorState, floorSource } from '../../contract/choices.ts'
import { liftReachCte, type LiftQuery } from '../reach/lift-reach.ts'

/** What a lift's device holds is called so: a device may serve a door beside it. */
const keyPrefix = 'lift:'
const settingsKey = `${keyPrefix}settings`

const itemKeyOf = (credentialKey: string): string => `${keyPrefix}${credentialKey}`

/** One row for each device and credential: whose it is, and its rights with floors, days and windows. */
const wantedItems = (query: LiftQuery, deviceIds: readonly Id[]): Sql => sql`
  with ${liftReachCte(query)},
  allowed as (
    select r.item_key, r.elevator_id, min(r.number) as number, min(r.picture) as picture,
      min(r.holder_name) as holder_name, min(r.stay_end_time) as end_time,
      jsonb_agg(
        distinct jsonb_strip_nulls(
          jsonb_build_object(
            'floors', to_jsonb(r.floors), 'isHome', r.source in ${codes(floorSource, 'home', 'visit')}, 'from', r.from_date,
            'until', r.until_date, 'windows', r.windows
          )
        )
      ) as rights
    from reach r
    group by r.item_key, r.elevator_id
  )
  select e.device_id, ${keyPrefix}::text || a.item_key as item_key,
    jsonb_strip_nulls(
      jsonb_build_object(
        'kind', split_part(a.item_key, ':', 1), 'number', a.number, 'picture', a.picture, 'name', a.holder_name,
        'rights', a.rights, 'endTime', a.end_time
      )
    ) as run_data
  from allowed a
  join elevator e on e.owner_id = ${query.ownerId}
    and e.id = a.elevator_id
    and ${notDeleted('e')}
    and e.device_id = any(${[...deviceIds]}::bigint[])
`

/** What a lift itself is like: its floors, its busy times, whether it runs. */
const wantedSettings = ({ ownerId }: LiftQuery, deviceIds: readonly Id[]): Sql => sql`
  select e.device_id, ${settingsKey}::text as item_key,
    jsonb_build_object(
      'floors', e.floor_list, 'publicFloors', coalesce(e.public_floors, '{}'),
      'closedFloors', coalesce(e.closed_floors, '{}'), 'busyTimes', coalesce(e.busy_times, '[]'),
      'isRunning', e.state = ${code(elevatorState, 'running')}
    ) as run_data
  from elevator e
  where e.owner_id = ${ownerId} and ${notDeleted('e')} and e.device_id = any(${[...deviceIds]}::bigint[])
`

const isOfLift = sql`starts_with(t.item_key, ${keyPrefix})`

interface BoundDevice {
  readonly deviceId: Id
  readonly elevatorId: Id
}

const findBoundDevices = (tx: Tx, ownerId: Id, projectCode: string): Promise<BoundDevice[]> =>
  tx.rows(sql`
    select device_id, id as elevator_id
    from elevator
    where owner_id = ${ownerId} and project_code = ${projectCode} and device_id is not null and ${notDeleted()}
  `)

/** Brings what the lifts' devices of a project have to hold up to date (ACS-3, ELV-2). */
export async function planLifts(tx: Tx, scope: Scope, affected: AffectedProject): Promise<number> {
  const { ownerId } = scope
  const { projectCode, keys, otherDeviceIds } = affected
  const bound = await findBoundDevices(tx, ownerId, projectCode)
  const all = bound.map(({ deviceId }) => deviceId)
  const today = dayOfInstant(Date.parse(scope.time))
  const query: LiftQuery = { ownerId, projectCode, today, at: scope.time }
  return planAffected(affected, {
    bound: all,
    changed: otherDeviceIds,
    planDevices: some => {
      const elevatorIds = bound.flatMap(each => (some.includes(each.deviceId) ? [each.elevatorId] : []))
      return planDesiredItems(tx, scope, {
        projectCode,
        deviceIds: some,
        wanted: sql`
          (${wantedItems({ ...query, elevatorIds }, some)}) union all (${wantedSettings(query, some)})
        `,
        isWhole: true,
        within: isOfLift,
      })
    },
    planKeys: () =>
      planDesiredItems(tx, scope, {
        projectCode,
        deviceIds: all,
        wanted: wantedItems({ ...query, keys }, all),
        within: sql`t.item_key = any(${keys.map(itemKeyOf)}::text[])`,
      }),
  })
}

registerDevicePlan({
  keyPrefix,
  selectProjects: ofCompany => sql`
    select l.owner_id, l.project_code
    from elevator l
    where ${ofCompany} and l.device_id is not null and ${notDeleted('l')}
  `,
  plan: planLifts,
})

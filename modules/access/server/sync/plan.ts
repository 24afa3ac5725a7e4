import { keysOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { planDesiredItems } from '#modules/devices/server/public.ts'
import { credentialKind, passageDirection } from '../../contract/choices.ts'
import type { ReachQuery, Sql } from '../reach/query.ts'
import { isInner } from '../reach/inner-doorway.ts'
import { reachCte, roleOf } from '../reach/reach.ts'
import type { AffectedProject } from './affected.ts'
import { planAffected } from './plan-affected.ts'

const bothWays = code(passageDirection, 'both')

/** What opens a lift opens the doors behind the gates as well. */
const isWithin = (ownerId: Id): Sql => sql`(${bothWays} = any(a.directions) and ${isInner(ownerId)})`

/** Of a door `d` and a device `l` for both directions: the reader within opens, the one outside does not. */
const isWayOutOnly = (ownerId: Id): Sql => sql`(
  ${code(passageDirection, 'exit')} = any(a.directions)
  and not ${code(passageDirection, 'entrance')} = any(a.directions)
  and l.direction = ${bothWays}
  and d.direction = ${bothWays}
  and not ${isWithin(ownerId)}
)`

/** A device of a door for both directions may be for one. */
const isWayOpen = (ownerId: Id): Sql => sql`(
  a.directions is null
  or (l.direction = ${bothWays} and d.direction = any(a.directions) and d.direction <> ${bothWays})
  or (l.direction = any(a.directions) and l.direction <> ${bothWays})
  or ${isWayOutOnly(ownerId)}
  or ${isWithin(ownerId)}
)`

/** Of a code whose entrances are counted, at a door that leads in: no device decides on it alone (VIS-2). */
const isCounted = (ownerId: Id): Sql => sql`(
  c.item_key is not null
  and d.direction <> ${code(passageDirection, 'exit')}
  and l.direction <> ${code(passageDirection, 'exit')}
  and not ((c.entrances->>'isInside')::boolean and ${isInner(ownerId)})
)`

/**
 * Codes whose entrances are counted, with the gateway that may count by itself while it has no line: the only
 * one that has doors of the code.
 */
const countedCodes = (ownerId: Id): Sql => sql`
  select h.item_key, h.entrances, (
      select case when count(distinct v.gateway_id) = 1 then min(v.gateway_id) end
      from doorway_group g
      join doorway_device x on x.owner_id = ${ownerId}
        and x.doorway_id = any(g.doorway_ids::bigint[])
        and ${notDeleted('x')}
      join device v on v.owner_id = ${ownerId} and v.id = x.device_id
      where g.owner_id = ${ownerId} and g.id = any(h.group_ids::bigint[]) and ${notDeleted('g')}
    ) as gateway_id
  from holder h
  where h.entrances is not null
`

/** Of a door for both directions: the reader within lets out what is counted at the one outside. */
const isCountedBothWays = (ownerId: Id): Sql => sql`(
  ${isCounted(ownerId)} and l.direction = ${bothWays} and d.direction = ${bothWays}
)`

/**
 * What devices hold of a credential: its number or picture, whose it is, and its rights, each with its days
 * and windows; what leads out alone by a device for both ways has its rights as `exitRights`, so that an
 * older driver lets nobody in. So it is with `countedRights`, of what is counted before the door opens. One
 * row for each device and credential.
 */
const wantedItems = (query: ReachQuery, deviceIds: readonly Id[]): Sql => sql`
  with ${reachCte(query)},
  allowed as (
    select r.item_key, r.doorway_id, min(r.number) as number, min(r.picture) as picture,
      min(r.holder_name) as holder_name, min(r.directions) as directions, min(r.end_time) as end_time, min(${roleOf(sql`r.staff_id`, sql`r.user_id`)}) as role,
      jsonb_agg(
        distinct jsonb_strip_nulls(
          jsonb_build_object('from', r.from_date, 'until', r.until_date, 'windows', r.windows)
        )
      ) as rights
    from reach r
    group by r.item_key, r.doorway_id
  ),
  counted as materialized (${countedCodes(query.ownerId)})
  select l.device_id, a.item_key,
    jsonb_strip_nulls(
      jsonb_build_object(
        'kind', split_part(a.item_key, ':', 1), 'number', a.number, 'picture', a.picture, 'name', a.holder_name,
        'rights', case
          when ${isCounted(query.ownerId)} or ${isWayOutOnly(query.ownerId)} then '[]'
          else a.rights
        end,
        'exitRights', case
          when ${isCountedBothWays(query.ownerId)} or ${isWayOutOnly(query.ownerId)} then a.rights
        end,
        'countedRights', case when ${isCounted(query.ownerId)} then a.rights end,
        'count', case
          when ${isCounted(query.ownerId)} and c.gateway_id is not null
            then c.entrances || jsonb_build_object(
              'gatewayId', c.gateway_id, 'isInner', ${isInner(query.ownerId)}
            )
        end,
        'endTime', a.end_time
      )
    ) as run_data
  from allowed a
  join doorway d on d.owner_id = ${query.ownerId} and d.id = a.doorway_id
  join doorway_device l on l.owner_id = ${query.ownerId}
    and l.doorway_id = a.doorway_id
    and ${notDeleted('l')}
    and l.device_id = any(${[...deviceIds]}::bigint[])
    and (coalesce(cardinality(l.open_roles), 0) = 0 or a.role = any(l.open_roles))
    and ${isWayOpen(query.ownerId)}
  left join counted c on c.item_key = a.item_key
`

/** What a door itself is like: how long it opens, and when it is free for all (ACS-7). */
const settingsKey = 'settings'

const wantedSettings = ({ ownerId, today }: ReachQuery, deviceIds: readonly Id[]): Sql => sql`
  select l.device_id, ${settingsKey}::text as item_key,
    jsonb_strip_nulls(
      jsonb_build_object('antennaNo', l.antenna_no, 'volume', l.volume, 'threshold', l.threshold)
    ) || jsonb_build_object(
      'direction', l.direction, 'passage', d.direction, 'openSeconds', d.open_seconds,
      'freeTimes', (
        select coalesce(
          jsonb_agg(
            jsonb_strip_nulls(
              jsonb_build_object(
                'weekDays', p.week_days::integer[], 'begin', p.begin_time, 'end', p.end_time,
                'from', p.effective_from, 'until', p.effective_to
              )
            )
            order by p.id
          ),
          '[]'
        )
        from doorway_public_time p
        where p.owner_id = ${ownerId}
          and p.doorway_id = d.id
          and ${notDeleted('p')}
          and (p.effective_to is null or p.effective_to >= ${today}::date)
      )
    ) as run_data
  from doorway_device l
  join doorway d on d.owner_id = ${ownerId}
    and d.id = l.doorway_id
    and ${notDeleted('d')}
    and d.state = ${code(enabledState, 'on')}
  where l.owner_id = ${ownerId} and ${notDeleted('l')} and l.device_id = any(${[...deviceIds]}::bigint[])
`

/** All that a device holds because of its door; it may hold other things too. */
const isOfDoorway = sql`(
  t.item_key = ${settingsKey} or split_part(t.item_key, ':', 1) = any(${keysOf(credentialKind)}::text[])
)`

interface BoundDevice {
  readonly deviceId: Id
  readonly doorwayId: Id
}

const findBoundDevices = (tx: Tx, ownerId: Id, projectCode: string): Promise<BoundDevice[]> =>
  tx.rows(sql`
    select device_id, doorway_id
    from doorway_device
    where owner_id = ${ownerId} and project_code = ${projectCode} and ${notDeleted()}
  `)

/** Brings what the devices of a project have to hold up to date (ACS-3). Returns how many items changed. */
export async function planProject(tx: Tx, scope: Scope, affected: AffectedProject): Promise<number> {
  const { ownerId } = scope
  const { projectCode, keys, deviceIds } = affected
  const today: Day = dayOfInstant(Date.parse(scope.time))
  const bound = await findBoundDevices(tx, ownerId, projectCode)
  const all = bound.map(each => each.deviceId)
  const query: ReachQuery = { ownerId, projectCode, today, at: scope.time }
  return planAffected(affected, {
    bound: all,
    changed: deviceIds,
    planDevices: some => {
      const doorwayIds = bound.flatMap(each => (some.includes(each.deviceId) ? [each.doorwayId] : []))
      return planDesiredItems(tx, scope, {
        projectCode,
        deviceIds: some,
        wanted: sql`
          (${wantedItems({ ...query, doorwayIds }, some)}) union all (${wantedSettings(query, some)})
        `,
        isWhole: true,
        within: isOfDoorway,
      })
    },
    planKeys: () =>
      planDesiredItems(tx, scope, {
        projectCode,
        deviceIds: all,
        wanted: wantedItems({ ...query, keys }, all),
        within: sql`t.item_key = any(${[...keys]}::text[])`,
      }),
  })
}

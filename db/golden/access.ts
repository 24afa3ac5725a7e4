import type { Id } from '#kit/domain/id.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { insertAll } from '#kit/server/table.ts'
import { passCodeState } from '#modules/access/contract/choices.ts'
import { doorwayDevice } from '#modules/access/contract/doorway-device.ts'
import { doorway } from '#modules/access/contract/doorway.ts'
import { doorwayGroup } from '#modules/access/contract/group.ts'
import { intercom } from '#modules/access/contract/intercom.ts'
import { publicTime } from '#modules/access/contract/public-time.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'

interface Lobby {
  readonly deviceId: Id
  readonly buildCode: string
  readonly buildName: string
}

/** The controllers of lobbies, as `seedDevices` put them. */
const findLobbies = (tx: Tx, ownerId: Id, projectCode: string): Promise<Lobby[]> =>
  tx.rows(sql`
    select d.id as device_id, d.build_code, b.name as build_name
    from device d
    join device_model m on m.owner_id = ${ownerId} and m.id = d.model_id and m.dev_type = 'access'
    join building b on b.owner_id = ${ownerId} and b.project_code = d.project_code and b.code = d.build_code
    where d.owner_id = ${ownerId} and d.project_code = ${projectCode} and ${notDeleted('d')}
    order by d.id
  `)

const open = { direction: 'both', passageType: 'pedestrian', openSeconds: 5, state: 'on' } as const

/** Controllers at the doors of their lobbies; they are called from homes, too. */
async function bindLobbies(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  lobbies: readonly Lobby[],
  doorwayIds: readonly Id[],
): Promise<void> {
  await insertAll(
    tx,
    doorwayDevice,
    scope,
    lobbies.map(({ deviceId }, i) => ({
      projectCode,
      doorwayId: doorwayIds[i],
      deviceId,
      direction: 'both' as const,
    })),
  )
  await insertAll(
    tx,
    intercom,
    scope,
    lobbies.map(({ deviceId, buildCode }, i) => ({
      projectCode,
      deviceId,
      stationKind: 'unit' as const,
      callNo: `M${i + 1}01`,
      buildCode,
      unitName: '1',
      doorwayId: doorwayIds[i],
      state: 'on' as const,
    })),
  )
}

/** Somebody whose code was ended by the property: its owner gets no other until it is allowed again. */
async function seedRevokedCode(tx: Tx, { ownerId, time }: Scope, projectCode: string): Promise<void> {
  await tx.execute(sql`
    insert into pass_code (
      owner_id, project_code, user_id, run_code, begin_time, end_date, state, end_reason
    )
    select ${ownerId}::bigint, ${projectCode}::text, l.user_id, lpad(l.user_id::text, 16, '7'),
      ${time}::timestamptz, ${dayOfInstant(Date.parse(time))}::date, ${code(passCodeState, 'revoked')},
      '通行码外泄'
    from user_room l
    where l.owner_id = ${ownerId}
      and l.project_code = ${projectCode}
      and l.status = ${code(residencyStatus, 'living')}
      and ${notDeleted('l')}
    order by l.id desc
    limit 1
    returning id
  `)
}

/** Gates of the project and lobbies of its buildings, with whom they open for. */
export async function seedAccess(tx: Tx, scope: Scope, projectCode: string): Promise<void> {
  const lobbies = await findLobbies(tx, scope.ownerId, projectCode)
  const plans = [
    ...lobbies.map(({ buildCode, buildName }) => ({
      doorwayName: `${buildName}大堂门`,
      buildCode,
      isPublic: true,
    })),
    { doorwayName: '东门人行闸', isPublic: true },
    { doorwayName: '会所', isPublic: false },
    { doorwayName: '配电房', isPublic: false },
  ]
  const doorwayIds = await insertAll(
    tx,
    doorway,
    scope,
    plans.map((plan, i) => ({
      projectCode,
      doorwayCode: `MJ${String(i + 1).padStart(4, '0')}`,
      ...open,
      ...plan,
    })),
  )
  const [mainDoorway, club, plant] = doorwayIds.slice(lobbies.length)
  await bindLobbies(tx, scope, projectCode, lobbies, doorwayIds)
  const group = (groupName: string, doorways: readonly (Id | undefined)[]) => ({
    projectCode,
    groupName,
    doorwayIds: doorways.map(String),
    state: 'on' as const,
  })
  await insertAll(tx, doorwayGroup, scope, [
    {
      ...group('会所会员', [club]),
      scopeType: 'manual' as const,
      windows: [{ begin: '09:00', end: '22:00' }],
    },
    { ...group('员工通行', doorwayIds.slice(0, lobbies.length + 1)), scopeType: 'staff' as const },
    { ...group('设备房', [plant]), scopeType: 'manual' as const },
  ])
  await insertAll(tx, publicTime, scope, [
    {
      projectCode,
      doorwayId: mainDoorway,
      weekDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
      beginTime: '07:00',
      endTime: '08:30',
    },
  ])
  await seedRevokedCode(tx, scope, projectCode)
}

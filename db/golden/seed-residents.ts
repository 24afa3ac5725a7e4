import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDays, addMonths, firstOfMonth, type Day } from '#kit/domain/day.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { residentBlock } from '#modules/residents/contract/block.ts'
import { faceKey, identityCard } from '#modules/residents/contract/card.ts'
import { relation, residencyStatus } from '#modules/residents/contract/labels.ts'
import { residency, residencyLog, type ResidencyLog } from '#modules/residents/contract/residency.ts'
import { resident } from '#modules/residents/contract/resident.ts'
import { analyzeTables } from './analyze.ts'
import { randomDay, type Namer, type Random } from './names.ts'
import { code, codes } from '#kit/server/sql.ts'

/** A room as the seeds need it. */
export interface Home {
  id: Id
  code: string
  projectCode: string
  buildCode: string
  path: string
  roomType: number
  roomState: number
  checkinDate?: Day
  deliverDate?: Day
  area: string
}

interface Person {
  readonly name: string
  readonly mobile?: string
  readonly [key: string]: unknown
}

interface Occupation {
  readonly home: Home
  readonly person: number
  readonly relation: keyof typeof relation.rows
  readonly isMain?: boolean
  readonly isPayer?: boolean
  readonly inDate?: Day
  readonly leaseBegin?: Day
  readonly leaseEnd?: Day
  readonly status?: 'living' | 'pending' | 'left'
  readonly outDate?: Day
}

/**
 * People for the homes of an estate: families where somebody lives, owners and tenants where it is let,
 * owners of most empty ones.
 */
function planOccupants(
  homes: readonly Home[],
  random: Random,
  namer: Namer,
): { people: Person[]; occupations: Occupation[] } {
  const people: Person[] = []
  const occupations: Occupation[] = []
  const add = (home: Home, adult: boolean, surname?: string): number => {
    const male = random(2) === 0
    const birthday = adult ? randomDay(random, 1952, 2002) : randomDay(random, 2008, 2024)
    return (
      people.push({
        homeProject: home.projectCode,
        name: namer.name(surname),
        gender: male ? 'male' : 'female',
        userType: 'person',
        birthday,
        source: random(5) ? 'import' : 'backOffice',
        state: 'normal',
        appBind: false,
        wechatBind: adult && random(10) < 6,
        ...(adult
          ? {
              mobile: namer.mobile(),
              ...(random(3) ? { certType: 'idCard', certNo: namer.certNo(birthday, male) } : {}),
            }
          : {}),
      }) - 1
    )
  }
  const family = (home: Home, head: number, rel: 'family' | 'tenantFamily', inDate: Day): void => {
    const first = [...defined(people[head]).name][0]
    if (random(4)) {
      occupations.push({ home, person: add(home, true), relation: rel, inDate })
    }
    for (let k = random(3); k > 0; k--) {
      occupations.push({ home, person: add(home, false, first), relation: rel, inDate })
    }
  }
  for (const [i, home] of homes.entries()) {
    const state = home.roomState
    const since = home.checkinDate ?? home.deliverDate ?? '2024-06-01'
    if (state === 10 || (state === 30 && random(10) < 3)) continue
    const lives = state === 40
    const head = add(home, true)
    occupations.push({
      home,
      person: head,
      relation: 'owner',
      isMain: true,
      ...(lives ? { inDate: since } : {}),
    })
    if (lives) {
      family(home, head, 'family', since)
    }
    if (state === 50) {
      const begin = firstOfMonth(randomDay(random, 2025, 2026))
      const from = begin > '2026-11-01' ? '2026-05-01' : begin
      const tenant = add(home, true)
      occupations.push({
        home,
        person: tenant,
        relation: 'tenant',
        isPayer: random(2) === 0,
        inDate: from,
        leaseBegin: from,
        leaseEnd:
          addDays(addMonths(from, 12), -1) < '2026-11-21'
            ? addDays(addMonths(from, 24), -1)
            : addDays(addMonths(from, 12), -1),
      })
      family(home, tenant, 'tenantFamily', from)
      if (i % 3 === 0) {
        occupations.push({
          home,
          person: add(home, true),
          relation: 'tenant',
          inDate: '2023-04-01',
          outDate: '2024-03-31',
          leaseBegin: '2023-04-01',
          leaseEnd: '2024-03-31',
          status: 'left',
        })
      }
    }
    if (lives && i % 29 === 4) {
      occupations.push({
        home,
        person: add(home, true),
        relation: 'tenant',
        status: 'pending',
        leaseBegin: '2026-12-01',
        leaseEnd: '2027-11-30',
      })
    }
  }
  return { people, occupations }
}

/** Residents of an estate with their homes and history, some cards, faces and a block. */
export async function seedResidents(
  tx: Tx,
  scope: Scope,
  homes: readonly Home[],
  random: Random,
  namer: Namer,
): Promise<void> {
  const { people, occupations } = planOccupants(
    homes.filter(h => [1, 2, 6].includes(h.roomType)),
    random,
    namer,
  )
  if (!people.length) return
  const boundSince = new Date(new Date(scope.time).getTime() - 90 * 86_400_000)
  const ids = await insertAll(tx, resident, scope, people)
  await tx.execute(
    sql`
      update resident t
      set search_text = x.search,
        run_wechat = case when t.wechat_bind then 'o' || left(md5(t.owner_id || '/' || t.id), 27) end,
        run_wechat_time = case when t.wechat_bind then ${boundSince}::timestamptz end
      from unnest(
        ${ids}::bigint[],
        ${people.map(p => buildSearchText([p.name], [p.mobile]))}::text[]
      ) as x(id, search)
      where t.owner_id = ${scope.ownerId} and t.id = x.id
    `,
  )
  const rows = occupations.map(({ home, person: index, status = 'living', ...occupation }) => ({
    projectCode: home.projectCode,
    roomId: home.id,
    buildCode: home.buildCode,
    userId: defined(ids[index]),
    isMain: false,
    isPayer: false,
    applySource: status === 'pending' ? ('self' as const) : ('import' as const),
    status,
    ...occupation,
  }))
  const links = await insertAll(tx, residency, scope, rows)
  await insertAll(
    tx,
    residencyLog,
    scope,
    rows.flatMap((r, k) => {
      const shared = {
        projectCode: r.projectCode,
        linkId: links[k],
        userId: r.userId,
        userName: defined(people[defined(occupations[k]).person]).name,
        roomId: r.roomId,
        buildCode: r.buildCode,
        relation: r.relation,
        operatorName: scope.name,
      }
      const arrival: Pick<ResidencyLog, 'action' | 'day'> =
        r.status === 'pending'
          ? { action: 'applied' as const, day: '2026-11-19' }
          : { action: r.inDate ? ('movedIn' as const) : ('added' as const), day: r.inDate ?? '2024-06-01' }
      return [
        { ...shared, ...arrival },
        ...(r.outDate ? [{ ...shared, action: 'movedOut' as const, day: r.outDate }] : []),
      ]
    }),
  )
  await analyzeTables(tx, 'room', 'resident', 'user_room')
  await tx.execute(sql`
    update room t
    set main_owner_id = m.user_id,
      main_owner_name = mp.name,
      payer_id = coalesce(y.user_id, m.user_id),
      payer_name = coalesce(yp.name, mp.name),
      payer_kind = case when y.relation in ${codes(relation, 'tenant', 'tenantFamily')} then 20 else 10 end,
      people = (
        select count(*)
        from user_room o
        where o.owner_id = ${scope.ownerId}
          and o.room_id = t.id
          and o.status = ${code(residencyStatus, 'living')}
          and o.in_date is not null
          and o.delete_tag = 0
      )
    from user_room m
    join resident mp on mp.owner_id = ${scope.ownerId} and mp.id = m.user_id
    left join user_room y on y.owner_id = ${scope.ownerId}
      and y.room_id = m.room_id
      and y.is_payer
      and y.status = ${code(residencyStatus, 'living')}
      and y.delete_tag = 0
    left join resident yp on yp.owner_id = ${scope.ownerId} and yp.id = y.user_id
    where m.owner_id = ${scope.ownerId}
      and t.owner_id = ${scope.ownerId}
      and m.room_id = t.id
      and m.is_main
      and m.status = ${code(residencyStatus, 'living')}
      and m.delete_tag = 0
      and t.id = any(${homes.map(h => h.id)})
  `)
  const hasMobile = (k: number): boolean =>
    defined(people[defined(occupations[k]).person]).mobile !== undefined
  const carded = rows.filter((r, k) => r.status === 'living' && r.inDate && hasMobile(k) && k % 3 === 0)
  await insertAll(
    tx,
    identityCard,
    scope,
    carded.map((r, k) => ({
      projectCode: r.projectCode,
      cardNo: String(10_000_000 + r.roomId * 10 + (k % 10)),
      cardType: k % 5 ? 'ic' : 'cpu',
      userId: r.userId,
      roomId: r.roomId,
      buildCode: r.buildCode,
      beginDate: r.inDate,
      state: k % 37 === 5 ? 'lost' : 'normal',
    })),
  )
  await insertAll(
    tx,
    faceKey,
    scope,
    carded
      .filter((_, k) => k % 4 === 0)
      .slice(0, 40)
      .map((r, k) => ({
        projectCode: r.projectCode,
        userId: r.userId,
        face: '0'.repeat(40),
        state: k % 9 === 3 ? 'waiting' : 'good',
        quality: 80 + (k % 20),
      })),
  )
  const { projectCode, userId } = defined(rows.find((r, k) => r.status === 'left' && hasMobile(k)) ?? rows[0])
  await insertAll(tx, residentBlock, scope, [
    {
      projectCode,
      userId,
      name: defined(people[ids.indexOf(userId)]).name,
      scope: ['visit', 'access'],
      reason: '多次高空抛物，经劝阻不改',
      expireDate: '2027-06-30',
    },
  ])
}

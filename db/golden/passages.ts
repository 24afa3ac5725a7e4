import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import type { OpenMethod } from '#modules/access/contract/choices.ts'
import type { NewPassage } from '#modules/access/server/passage/new-passage.ts'
import { insertPassages } from '#modules/access/server/passage/store.ts'
import { cardState } from '#modules/residents/contract/labels.ts'
import type { Random } from './names.ts'
import { seededRandom } from './random.ts'

interface Entrance {
  readonly deviceId: Id
  readonly doorwayId: Id
}

interface CardHolder {
  readonly userId: Id
  readonly personName: string
  readonly roomId?: Id
  readonly cardNo: string
}

const days = 21
const perDay = 18
const dayMs = 86_400_000
const minuteMs = 60_000
const seed = 20_261_129

/** When people leave and come home; the others at any time of the day. */
const rushHours = [7, 8, 8, 12, 17, 18, 18, 19, 20]

const findCardHolders = (tx: Tx, ownerId: Id, projectCode: string): Promise<CardHolder[]> =>
  tx.rows(sql`
    select c.user_id, p.name as person_name, c.room_id, c.card_no
    from identity_card c
    join resident p on p.owner_id = ${ownerId} and p.id = c.user_id
    where c.owner_id = ${ownerId}
      and c.project_code = ${projectCode}
      and c.state = ${code(cardState, 'normal')}
      and ${notDeleted('c')}
    order by c.id
    limit 60
  `)

/** The start of the day in Shanghai, so many days ago. */
const startOfDayMs = (nowMs: number, daysAgo: number): number =>
  Math.floor((nowMs + 8 * 3_600_000) / dayMs - daysAgo) * dayMs - 8 * 3_600_000

type Kind = Pick<NewPassage, 'openMethod' | 'openStatus' | 'personKind' | 'reason'>

const byHolder = (openMethod: OpenMethod): Kind => ({
  openMethod,
  openStatus: 'opened',
  personKind: 'resident',
})

const refusals: readonly Kind[] = [
  { openMethod: 'face', openStatus: 'refused', personKind: 'stranger', reason: '人脸未登记' },
  { openMethod: 'card', openStatus: 'refused', personKind: 'stranger', reason: '卡号未登记' },
  { openMethod: 'face', openStatus: 'refused', personKind: 'stranger', reason: '人脸未登记' },
]

/** Mostly cards and faces of people who live here; now and then a button, a stranger. */
function kindOf(random: Random): Kind {
  const draw = random(20)
  if (draw < 2) return defined(refusals[random(refusals.length)])
  if (draw < 4) return { openMethod: 'button', openStatus: 'opened' }
  return byHolder(draw < 12 ? 'card' : 'face')
}

const findEntrances = (tx: Tx, ownerId: Id, projectCode: string): Promise<Entrance[]> =>
  tx.rows(sql`
    select device_id, doorway_id
    from doorway_device
    where owner_id = ${ownerId} and project_code = ${projectCode} and ${notDeleted()}
    order by id
  `)

/** Some weeks of comings and goings until now: lists and figures have something to show. */
export async function seedPassages(tx: Tx, scope: Scope, projectCode: string, nowMs: number): Promise<void> {
  const entrances = await findEntrances(tx, scope.ownerId, projectCode)
  const holders = await findCardHolders(tx, scope.ownerId, projectCode)
  if (!entrances.length || !holders.length) return
  const random = seededRandom(seed)
  const passages = Array.from({ length: days * perDay }, (_, i): NewPassage => {
    const kind = kindOf(random)
    const hour = defined(rushHours[random(rushHours.length)])
    const atMs =
      startOfDayMs(nowMs, Math.floor(i / perDay)) + (hour * 60 + random(60)) * minuteMs + random(60_000)
    const holder = kind.personKind === 'resident' ? defined(holders[random(holders.length)]) : undefined
    const cardNo = kind.openMethod === 'card' ? holder?.cardNo : undefined
    return {
      ...kind,
      ...defined(entrances[random(entrances.length)]),
      projectCode,
      recordKey: `S${i + 1}`,
      atMs,
      isTimeDoubtful: false,
      direction: random(2) ? 'entrance' : 'exit',
      userId: holder?.userId,
      personName: holder?.personName,
      roomId: holder?.roomId,
      cardNo,
      itemKey: cardNo && `card:${cardNo}`,
    }
  })
  const past = passages.filter(({ atMs }) => atMs <= nowMs)
  await insertPassages(
    tx,
    { ...scope, time: new Date(nowMs).toISOString() },
    past.map(passage => ({ passage, mergedKeys: [] })),
    past.map(() => ({})),
  )
}

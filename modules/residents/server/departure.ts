import type { Permission } from '#kit/contract/call.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { defineEvent } from '#kit/server/event.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import type { MoveLine, MoveStep } from '../contract/move-step.ts'
import { menu } from '../module.ts'
import { deleteFaces, endCards, enrolledFaces, unendedCards } from './ending-keys.ts'
import { currentPlaces, withoutPlaceIn } from './presence.ts'

type Sql = RawBuilder<unknown>

/** People who do not work somewhere any more. Some of them live or work in the project all the same. */
export interface Departure {
  readonly projectCode: string
  readonly userIds: readonly Id[]
  /** The rooms where they worked. */
  readonly roomIds: readonly Id[]
  readonly today: Day
  readonly reason: string
  /** Before it is written: the company whose people count as having left it. */
  readonly leavingCompanyId?: Id | undefined
}

/**
 * In the transaction in which people left, after it is written: what is theirs in the project ends (BASE-16)
 * and does not come back by itself (BASE-12).
 */
export const [onDeparture, publishDeparture] = defineEvent<[tx: Tx, scope: Scope, departure: Departure]>()

/** What of a departure a module ends, for the preview of it. */
interface DepartureStep {
  readonly key: string
  readonly title: string
  readonly order: number
  /** Without it the preview leaves the step out. */
  readonly needs: Permission
  readonly plan: (db: Db, scope: Scope, departure: Departure) => Promise<MoveLine | undefined>
}

const steps: DepartureStep[] = []

/** Called once, when a module is loaded. */
export function registerDepartureStep(step: DepartureStep): void {
  steps.push(step)
  steps.sort((a, b) => a.order - b.order)
}

/** What will end for people who are about to leave a company. */
export async function planDeparture(db: Db, scope: Scope, departure: Departure): Promise<MoveStep[]> {
  const planned: MoveStep[] = []
  if (!departure.userIds.length) return planned
  for (const { key, title, needs, plan } of steps) {
    const line = hasPermission(scope, needs) ? await plan(db, scope, departure) : undefined
    if (line) {
      planned.push({ key, title, lines: [line] })
    }
  }
  return planned
}

/** Cards `t` for the rooms that they left; those for none once nothing keeps them in the project. */
function departedCards(scope: Scope, departure: Departure): Sql {
  const { ownerId } = scope
  const { projectCode, userIds, roomIds } = departure
  const livesOrWorks = sql`
    select 1
    from (${currentPlaces({ ...departure, ownerId })}) p
    where p.user_id = t.user_id and p.room_id = t.room_id
  `
  return sql`
    ${unendedCards(scope, projectCode)}
    and t.user_id = any(${[...userIds]}::bigint[])
    and (
      (t.room_id = any(${[...roomIds]}::bigint[]) and not exists (${livesOrWorks}))
      or (t.room_id is null and t.user_id in (${withoutPlaceIn(ownerId, departure)}))
    )
  `
}

const departedFaces = (scope: Scope, departure: Departure): Sql =>
  enrolledFaces(scope, departure.projectCode, withoutPlaceIn(scope.ownerId, departure))

const shownNumbers = 5

registerDepartureStep({
  key: 'cards',
  title: '门禁卡',
  order: 200,
  needs: menu.card.permissions.view,
  plan: async (db, scope, departure) => {
    const cards = await db.rows<{ cardNo: string }>(
      sql`select t.card_no from identity_card t where ${departedCards(scope, departure)} order by t.id`,
    )
    const numbers = cards.slice(0, shownNumbers).map(({ cardNo }) => cardNo)
    return cards.length
      ? { label: '注销', value: `${cards.length} 张`, note: numbers.join('、'), tone: 'off' }
      : undefined
  },
})

registerDepartureStep({
  key: 'faces',
  title: '人脸',
  order: 210,
  needs: menu.card.permissions.view,
  plan: async (db, scope, departure) => {
    const found = await db.one<{ count: number }>(
      sql`select count(*)::integer as count from face_key t where ${departedFaces(scope, departure)}`,
    )
    return found?.count
      ? { label: '删除', value: `${found.count} 个`, note: '同时从设备上删除', tone: 'off' }
      : undefined
  },
})

onDeparture(async (tx, scope, departure) => {
  await endCards(tx, scope, departedCards(scope, departure), departure.reason)
  await deleteFaces(tx, scope, departedFaces(scope, departure), departure.reason)
})

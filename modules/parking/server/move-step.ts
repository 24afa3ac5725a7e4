import { labelOf } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { systemScope, unrestrictedDomain } from '#kit/server/scope.ts'
import { findAll, findByIds, updateAll } from '#kit/server/table.ts'
import {
  placesAnswer,
  registerMoveStep,
  type MoveApplyContext,
  type MoveContext,
  type MoveStepContent,
} from '#modules/residents/server/public.ts'
import { placeState } from '../contract/labels.ts'
import { parkPlace, type ParkPlace } from '../contract/park-place.ts'
import { menu } from '../module.ts'
import { releaseCars } from './car-validity.ts'

const shownPlaces = 5

/** Somebody who lives there without owning or paying has no say in the places of the room. */
const concernsPlaces = ({ kind, residencies, remaining }: MoveContext): boolean =>
  kind !== 'checkout' || !remaining.length || residencies.some(r => r.isMain || r.isPayer)

const findRoomPlaces = async (moveContext: MoveContext, db: Db): Promise<ParkPlace[]> =>
  moveContext.room.code === undefined || !concernsPlaces(moveContext)
    ? []
    : findAll(
        db,
        parkPlace,
        systemScope(moveContext.scope.ownerId, moveContext.scope.time),
        { projectCode: moveContext.room.projectCode },
        { where: [sql`t.room_code = ${moveContext.room.code}`] },
      )

const describePlace = ({ placeNo, placeState: state, endDate }: ParkPlace): string =>
  `${placeNo}（${labelOf(placeState, state)}${endDate ? `，至 ${endDate}` : ''}）`

const optionsOf = (moveContext: MoveContext) => [
  {
    value: placesAnswer.withRoom,
    label: moveContext.kind === 'transfer' ? '随房屋转给新业主' : '仍属该房屋',
    note: '费用由房屋的缴费人承担',
  },
  {
    value: placesAnswer.released,
    label: '与房屋解除关联',
    note: '已租车位改为空闲，其他车位请另行设置缴费人',
  },
]

async function planPlaces(moveContext: MoveContext): Promise<MoveStepContent | undefined> {
  const places = await findRoomPlaces(moveContext, moveContext.db)
  if (!places.length) return undefined
  const chosen = moveContext.answerOf(placesAnswer.key) ?? placesAnswer.withRoom
  return {
    lines: [
      {
        label: '关联车位',
        value: `${places.length} 个`,
        note: places.slice(0, shownPlaces).map(describePlace).join('、'),
        tone: chosen === placesAnswer.released ? 'off' : 'hold',
      },
    ],
    question: { label: '车位处理方式', value: chosen, options: optionsOf(moveContext) },
  }
}

async function applyPlaces(moveApplyContext: MoveApplyContext): Promise<void> {
  if (moveApplyContext.answerOf(placesAnswer.key) !== placesAnswer.released) return
  const scope = { ...moveApplyContext.scope, domain: unrestrictedDomain }
  const ids = (await findRoomPlaces(moveApplyContext, moveApplyContext.tx)).map(place => place.id)
  const places = await findByIds(moveApplyContext.tx, parkPlace, scope, ids, { lock: true })
  const reason = `${moveApplyContext.room.path} ${moveApplyContext.kind === 'transfer' ? '过户' : '迁出'}`
  const isLet = (place: ParkPlace): boolean => place.placeState === 'let'
  await updateAll(
    moveApplyContext.tx,
    parkPlace,
    scope,
    places.filter(isLet),
    { placeState: 'free', roomCode: undefined, beginDate: undefined, endDate: undefined },
    { action: 'state', reason },
  )
  const freed = places.filter(isLet)
  await releaseCars(moveApplyContext.tx, scope, freed, { to: 'free', today: moveApplyContext.today, reason })
  await updateAll(
    moveApplyContext.tx,
    parkPlace,
    scope,
    places.filter(place => !isLet(place)),
    { roomCode: undefined },
    { reason },
  )
}

registerMoveStep({
  key: placesAnswer.key,
  title: '车位',
  order: 300,
  kinds: ['checkout', 'transfer', 'moveOut'],
  needs: menu.place.permissions.view,
  plan: planPlaces,
  apply: applyPlaces,
})

import { labelOf } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { systemScope, unrestrictedDomain } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByIds, updateAll } from '#kit/server/table.ts'
import {
  registerMoveStep,
  type MoveApplyContext,
  type MoveContext,
  type MoveStepContent,
} from '#modules/residents/server/public.ts'
import { car, type Car } from '../contract/car.ts'
import { carState } from '../contract/car-labels.ts'
import { menu } from '../module.ts'

const shownCars = 5
const carsAnswer = { key: 'cars', kept: 'kept', cancelled: 'cancelled' } as const

/** Cars of the room that are of those who leave, of the company that leaves, or of nobody registered. */
async function findLeavingCars(move: MoveContext, db: Db): Promise<Car[]> {
  const { room, residencies, company, scope } = move
  if (room.code === undefined) return []
  const found = await findAll(
    db,
    car,
    systemScope(scope.ownerId, scope.time),
    { projectCode: room.projectCode, order: 'id' },
    {
      where: [sql`t.room_code = ${room.code}`, sql`t.car_state <> ${code(carState, 'cancelled')}`],
    },
  )
  const leaving = new Set(residencies.map(({ userId }) => userId))
  return found.filter(row =>
    company
      ? row.companyId === company.id
      : row.userId === undefined
        ? row.companyId === undefined && move.leavesEmpty
        : leaving.has(row.userId),
  )
}

const describeCar = ({ plateNo, carState: state, endDate }: Car): string =>
  `${plateNo}（${labelOf(carState, state)}${endDate ? `，至 ${endDate}` : ''}）`

async function planCars(move: MoveContext): Promise<MoveStepContent | undefined> {
  const rows = await findLeavingCars(move, move.db)
  if (!rows.length) return undefined
  const chosen = move.answerOf(carsAnswer.key) ?? carsAnswer.kept
  return {
    lines: [
      {
        label: '登记车辆',
        value: `${rows.length} 辆`,
        note: rows.slice(0, shownCars).map(describeCar).join('、'),
        tone: chosen === carsAnswer.cancelled ? 'off' : 'hold',
      },
    ],
    question: {
      label: '车辆处理方式',
      value: chosen,
      options: [
        {
          value: carsAnswer.kept,
          label: '保留，与房屋解除关联',
          note: '有效期不变，到期后不能再按月租入场',
        },
        { value: carsAnswer.cancelled, label: '注销', note: '随即不能按月租入场；未使用的费用请另行退款' },
      ],
    },
  }
}

async function applyCars(move: MoveApplyContext): Promise<void> {
  const scope = { ...move.scope, domain: unrestrictedDomain }
  const ids = (await findLeavingCars(move, move.tx)).map(({ id }) => id)
  const rows = await findByIds(move.tx, car, scope, ids, { lock: true })
  const reason = `${move.room.path} ${move.kind === 'transfer' ? '过户' : '迁出'}`
  // A plate on the black list stays on it.
  const isCancelled = (row: Car): boolean =>
    move.answerOf(carsAnswer.key) === carsAnswer.cancelled && row.carState !== 'blocked'
  await updateAll(
    move.tx,
    car,
    scope,
    rows.filter(isCancelled),
    { carState: 'cancelled', placeId: undefined, roomCode: undefined },
    { action: 'state', reason },
  )
  const kept = rows.filter(row => !isCancelled(row))
  await updateAll(move.tx, car, scope, kept, { roomCode: undefined }, { reason })
}

registerMoveStep({
  key: carsAnswer.key,
  title: '车辆',
  order: 310,
  kinds: ['checkout', 'transfer', 'moveOut'],
  needs: menu.car.permissions.view,
  plan: planCars,
  apply: applyCars,
})

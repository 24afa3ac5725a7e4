import type { Id } from '#kit/domain/id.ts'
import { labelOf } from '#kit/contract/field.ts'
import { invalidField } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { createLabelSheet } from '#kit/server/label-sheet.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, requireById } from '#kit/server/table.ts'
import { passageDirection } from '#modules/access/contract/choices.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { park } from '#modules/parking/contract/park.ts'
import { parkLane, type ParkLane } from '#modules/parking-lanes/contract/park-lane.ts'
import { listPayCodes, printPayCodes } from '../contract/pay-code.ts'
import { payPageOf } from './pay-link.ts'

const useOf = ({ direction }: ParkLane): string =>
  ({ entrance: '无牌车扫码入场', exit: '扫码缴费、无牌车出场', both: '扫码缴费、无牌车出入' })[direction]

async function codesOf(db: Db, scope: Scope, app: Pick<App, 'database'>, parkId: Id) {
  const { ownerId } = scope
  const lot = await requireById(db, park, scope, parkId)
  const lanes = await findAll(
    db,
    parkLane,
    scope,
    { order: 'id' },
    { where: [sql`t.park_id = ${parkId} and t.state = ${code(enabledState, 'on')}`] },
  )
  const ofPark = {
    name: '大堂、电梯厅',
    use: '提前缴费',
    url: await payPageOf(app, { kind: 'park', ownerId, id: parkId }),
  }
  const ofLanes = lanes.map(async lane => ({
    laneId: lane.id,
    name: `${lane.laneName}（${labelOf(passageDirection, lane.direction)}）`,
    use: useOf(lane),
    url: await payPageOf(app, { kind: 'lane', ownerId, id: lane.id }),
  }))
  return { lot, codes: [ofPark, ...(await Promise.all(ofLanes))] }
}

/** What hangs at a lane leads to the product alone, by the name that it is reached by. */
function assertOwnAddress(origin: string, ownOrigin: string | undefined): void {
  if (ownOrigin === undefined || URL.parse(origin)?.hostname === URL.parse(ownOrigin)?.hostname) return
  throw invalidField('Origin', `网址应为本系统的地址（${ownOrigin}）`)
}

export const payCodeHandlers = [
  reads(
    listPayCodes,
    async ({ parkId }, { db, scope, app }) => (await codesOf(db, scope, app, parkId)).codes,
  ),
  reads(printPayCodes, async ({ parkId, origin }, { db, scope, app, origin: ownOrigin }) => {
    assertOwnAddress(origin, ownOrigin)
    const { lot, codes } = await codesOf(db, scope, app, parkId)
    return createLabelSheet(
      { name: `停车缴费二维码_${lot.name}.pdf`, title: '停车缴费二维码' },
      codes.map(({ name, use, url }) => ({
        code: `${origin}${url}`,
        kind: '停车缴费',
        title: lot.name,
        place: name,
        notes: [use],
      })),
    )
  }),
]

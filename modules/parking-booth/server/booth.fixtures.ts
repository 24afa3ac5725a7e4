import { asId, type Id } from '#kit/domain/id.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { addMinutes, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { Tx } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { systemScope } from '#kit/server/scope.ts'
import { insert } from '#kit/server/table.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { parkingCharge } from '#modules/parking-lanes/contract/charge.ts'
import { ParkSite, projectCode } from '#modules/parking-lanes/server/park-site.fixtures.ts'
import { beginShift, handOverShift, onlyBooth, previewShift, type BoothShift } from '../contract/shift.ts'

export const boothClerkPermissions = [
  'parking-booth.booth.view',
  'parking-booth.booth.open',
  'parking-booth.shift.view',
  'parking-booth.shift.duty',
  'parking-lanes.stay.view',
  'parking-lanes.stay.pass',
  'parking-lanes.stay.release',
  'parking-lanes.stay.correct',
  'parking-lanes.charge.view',
  'parking-lanes.charge.collect',
]

/** Somebody who works at booths. */
export interface BoothClerk {
  readonly id: Id
  readonly as: CallOptions
}

/** A car park with its booth, and the people who are on duty there. */
export class BoothSite {
  readonly #app: GoldenApp
  readonly park: ParkSite

  private constructor(app: GoldenApp, park: ParkSite) {
    this.#app = app
    this.park = park
  }

  static async open(app: GoldenApp, me: CallOptions): Promise<BoothSite> {
    const park = await ParkSite.open(app, me, { totalPlace: 100 })
    await park.addRule()
    return new BoothSite(app, park)
  }

  async addClerk(more: readonly string[] = []): Promise<BoothClerk> {
    const { as } = await this.#app.addClerk([...boothClerkPermissions, ...more])
    const { id, offStaffId } = await this.begin(as)
    await this.handOver(id, as)
    return { id: offStaffId, as: { ...as } }
  }

  get now(): Moment {
    return fromInstant(this.#app.app.clock())
  }

  begin(as: CallOptions): Promise<BoothShift> {
    return this.#app.call(beginShift, { parkId: this.park.id, boothName: onlyBooth }, as)
  }

  preview(id: Id, as: CallOptions) {
    return this.#app.call(previewShift, { id }, as)
  }

  /** With the cash that is expected, but for a difference. */
  async handOver(id: Id, as: CallOptions, off: Fen = 0, remark?: string): Promise<BoothShift> {
    const { cashAmount } = await this.preview(id, as)
    const handAmount = asFen(cashAmount + off)
    return this.#app.call(handOverShift, { id, expectCash: cashAmount, handAmount, remark }, as)
  }

  /** A charge as the booth makes it, in a transaction that the test ends. */
  charge(tx: Tx, cashier: Id, amount: Fen, payMethod: 'cash' | 'card' = 'cash', at = this.now) {
    return insert(tx, parkingCharge, systemScope(this.#app.ownerId, new Date().toISOString()), {
      projectCode,
      stayId: asId(1),
      parkId: this.park.id,
      plateNo: '粤B00001',
      chargeType: 'stay',
      inTime: addMinutes(at, -60),
      amount,
      couponAmount: 0,
      paidAmount: amount,
      payMethod,
      payTime: at,
      cashier,
      cashierName: '岗亭',
    })
  }

  chargeNow(cashier: Id, amount: Fen, payMethod: 'cash' | 'card' = 'cash') {
    return this.#app.database.tx(this.#app.ownerId, tx => this.charge(tx, cashier, amount, payMethod))
  }
}

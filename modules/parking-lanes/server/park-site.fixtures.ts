import type { Id } from '#kit/domain/id.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { toInstant, type Moment } from '#kit/domain/moment.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { systemScope } from '#kit/server/scope.ts'
import { exampleFeeRule } from '#db/golden/park-fee-terms.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { carGroups, type CarGroup } from '#modules/parking/contract/car-group.ts'
import { cars, type Car } from '#modules/parking/contract/car.ts'
import { addPark, type Park } from '#modules/parking/contract/park.ts'
import { parkFeeRules, type ParkFeeRule } from '../contract/fee-rule.ts'
import { parkLanes, type ParkLane } from '../contract/park-lane.ts'
import type { reportPassage } from '../contract/passage.ts'
import { listStays, type ParkingStay } from '../contract/stay.ts'
import { reportCar } from './passage/report.ts'

export const projectCode = 'GOLD0001'
export const yuan = (amount: number): Fen => asFen(Math.round(amount * 100))

type Report = NonNullable<typeof reportPassage.input.T>
let made = 0

/** A car park with a lane in, a lane out and one for both. */
export class ParkSite {
  readonly #app: GoldenApp
  readonly #me: CallOptions
  readonly park: Park
  readonly lanes: Readonly<Record<'in' | 'out' | 'both', ParkLane>>

  private constructor(app: GoldenApp, me: CallOptions, park: Park, lanes: ParkSite['lanes']) {
    this.#app = app
    this.#me = me
    this.park = park
    this.lanes = lanes
  }

  static async open(app: GoldenApp, me: CallOptions, values: Partial<Park> = {}): Promise<ParkSite> {
    const park = await app.call(
      addPark,
      { projectCode, name: `车场${++made}`, parkType: 'below', state: 'on', ...values },
      me,
    )
    const lane = (laneName: string, direction: ParkLane['direction']) =>
      app.call(
        parkLanes.add,
        { projectCode, parkId: park.id, laneName, direction, laneType: 'vehicle', state: 'on' },
        me,
      )
    const lanes = {
      in: await lane('东入口', 'entrance'),
      out: await lane('东出口', 'exit'),
      both: await lane('西门', 'both'),
    }
    return new ParkSite(app, me, park, lanes)
  }

  addRule(values: Partial<ParkFeeRule> = {}): Promise<ParkFeeRule> {
    return this.#app.call(
      parkFeeRules.add,
      { projectCode, parkId: this.park.id, ...exampleFeeRule, ...values },
      this.#me,
    )
  }

  /** A month car of the year, unless other days are given. */
  addCar(plateNo: string, values: Partial<Car> = {}): Promise<Car> {
    return this.#app.call(
      cars.add,
      {
        projectCode,
        plateNo,
        plateColor: 'blue',
        carKind: 'month',
        ownerName: '孙三',
        beginDate: '2026-01-01',
        endDate: '2026-12-31',
        ...values,
      },
      this.#me,
    )
  }

  /** Plates that share places of this car park, and of others. */
  addGroup(plateNos: readonly string[], placeCount: number, values: Partial<CarGroup> = {}) {
    const parkIds = [String(this.id)]
    const draft = { projectCode, groupName: `车组${++made}`, placeCount, plateNos, parkIds } as const
    return this.#app.call(carGroups.add, { ...draft, switchOnLeave: true, state: 'on', ...values }, this.#me)
  }

  /** A message that comes in at the moment it speaks of, unless another is reported. */
  report(lane: 'in' | 'out' | 'both', plateNo: string | undefined, at: Moment, more: Partial<Report> = {}) {
    const { ownerId, database } = { ownerId: this.#app.ownerId, database: this.#app.app.database }
    const scope = systemScope(ownerId, new Date(toInstant(at)).toISOString())
    const report = {
      laneId: this.lanes[lane].id,
      passKey: `key-${++made}`,
      ...(plateNo === undefined ? {} : { plateNo }),
      ...more,
    }
    return database.tx(ownerId, tx => reportCar(tx, scope, report, at))
  }

  async stays(plateNo: string): Promise<ParkingStay[]> {
    const { rows } = await this.#app.call(
      listStays,
      {
        projectCode,
        parkId: [String(this.park.id)],
        plateNo,
        passTimeFrom: '2020-01-01 00:00:00',
        order: 'passTime',
        size: 100,
      },
      this.#me,
    )
    return [...rows]
  }

  get id(): Id {
    return this.park.id
  }
}

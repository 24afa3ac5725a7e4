import type { App } from '#kit/server/app.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import type { RawRequest, RawResponse } from '#kit/server/raw-endpoint.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { addPark, type Park } from '#modules/parking/contract/park.ts'
import { parkFeeRules } from '#modules/parking-lanes/contract/fee-rule.ts'
import { parkLanes, type ParkLane } from '#modules/parking-lanes/contract/park-lane.ts'
import { listStays, type ParkingStay } from '#modules/parking-lanes/contract/stay.ts'
import { exampleFeeRule } from '#db/golden/park-fee-terms.ts'
import { parkCameras, renewCameraKey, type ParkCamera } from '../contract/camera.ts'
import { cameraReadings, type CameraReading } from '../contract/reading.ts'
import { cameraEndpoints } from './endpoints.ts'
import {
  SimulatedCamera,
  type CameraAccount,
  type CameraRequest,
  type CameraResponse,
} from './simulator/simulated-camera.ts'

export const projectCode = 'GOLD0001'
let made = 0

/** The smallest that is a picture by its first bytes. */
export const picture = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0, 1])

/** What comes in at the server's address, without a socket. */
export async function deliver(
  app: App,
  { method, path, headers, body }: CameraRequest,
  { ip = '127.0.0.1', origin = 'http://127.0.0.1' }: Partial<Pick<RawRequest, 'ip' | 'origin'>> = {},
): Promise<CameraResponse> {
  const [adapter = '', company = '', serial = '', tail] = path.split('/').slice(4)
  const route = `${method} /api/parking/v1/:adapter/:company/:serial${tail === undefined ? '' : `/${tail}`}`
  const endpoint = cameraEndpoints.find(each => each.route === route)
  if (!endpoint) throw new Error(`no endpoint ${route}`)
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const params = { adapter, company, serial }
  const response: RawResponse = await endpoint.run(
    { params, query: new URLSearchParams(), headers, body: String(body), bytes, ip, agent: '', origin },
    app,
  )
  return { status: response.status ?? 200, body: response.body ?? '', etag: response.etag }
}

/** A car park with a lane in and a lane out, and a camera that signs at each. */
export class CameraSite {
  readonly #t: GoldenApp
  readonly #me: CallOptions
  readonly park: Park
  readonly lanes: Readonly<Record<'in' | 'out', ParkLane>>

  private constructor(t: GoldenApp, me: CallOptions, park: Park, lanes: CameraSite['lanes']) {
    this.#t = t
    this.#me = me
    this.park = park
    this.lanes = lanes
  }

  static async open(t: GoldenApp, me: CallOptions): Promise<CameraSite> {
    const park = await t.call(
      addPark,
      { projectCode, name: `相机车场${++made}`, parkType: 'below', state: 'on' },
      me,
    )
    await t.call(parkFeeRules.add, { projectCode, parkId: park.id, ...exampleFeeRule }, me)
    const common = { projectCode, parkId: park.id, laneType: 'vehicle', state: 'on' } as const
    const lanes = {
      in: await t.call(parkLanes.add, { ...common, laneName: '入口', direction: 'entrance' }, me),
      out: await t.call(parkLanes.add, { ...common, laneName: '出口', direction: 'exit' }, me),
    }
    return new CameraSite(t, me, park, lanes)
  }

  add(lane: 'in' | 'out', values: Partial<ParkCamera> = {}): Promise<ParkCamera> {
    const serialNo = `S${++made}`
    return this.#t.call(
      parkCameras.add,
      {
        projectCode,
        cameraName: `相机${serialNo}`,
        serialNo,
        maker: 'vzenith',
        authMode: 'signed',
        laneId: this.lanes[lane].id,
        opensBarrier: true,
        state: 'on',
        ...values,
      },
      this.#me,
    )
  }

  async account(camera: ParkCamera): Promise<CameraAccount> {
    const { secret, address } = await this.#t.call(renewCameraKey, { id: camera.id }, this.#me)
    return { path: address, key: secret }
  }

  /** A camera at work, on the server's own database unless another is named. */
  simulate(account: CameraAccount, app: App = this.#t.app): SimulatedCamera {
    return new SimulatedCamera(account, request => deliver(app, request), this.#t.app.clock)
  }

  async camera(lane: 'in' | 'out', values: Partial<ParkCamera> = {}): Promise<SimulatedCamera> {
    return this.simulate(await this.account(await this.add(lane, values)))
  }

  async stays(plateNo: string): Promise<readonly ParkingStay[]> {
    const input = { projectCode, parkId: [String(this.park.id)], plateNo, order: 'passTime', size: 100 }
    const from = { passTimeFrom: '2020-01-01 00:00:00' } as const
    return (await this.#t.call(listStays, { ...input, ...from }, this.#me)).rows
  }

  /** Of one lane, the latest first. */
  async readings(lane: 'in' | 'out'): Promise<readonly CameraReading[]> {
    const input = { projectCode, laneId: [String(this.lanes[lane].id)], size: 100 }
    return (await this.#t.call(cameraReadings.list, input, this.#me)).rows
  }
}

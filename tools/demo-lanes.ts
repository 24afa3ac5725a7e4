import type { App } from '#kit/server/app.ts'
import { findEntry } from '#kit/server/directory.ts'
import {
  LaneSimulator,
  openCameras,
  openLaneServer,
  requestTo,
  SimulatedCamera,
} from '#modules/parking-cameras/server/public.ts'
import { gardenEstate } from '#db/golden/demo-garden-estate.ts'
import { cameraSerial } from '#db/golden/park-cameras.ts'

/** A car comes so often: enough that screens of lanes are alive, too little to be noticed otherwise. */
const carEveryMs = 30_000

const parkNos = [1, 2]
const directions = ['in', 'out'] as const

/** The cameras of the demo's first car parks, in this process. */
export async function startDemoLanes(
  { app, address }: { readonly app: App; readonly address: string },
  dataDir: string,
  log: (message: string) => void,
): Promise<{ close(): Promise<void> } | undefined> {
  const company = await findEntry(app.database.reader('*'), 'login', 'demo')
  if (!company) return undefined
  const serials = parkNos.flatMap(no =>
    directions.map(way => cameraSerial(gardenEstate.projectCode, no, way)),
  )
  const cameras = await openCameras(app, company.ownerId, serials)
  if (!cameras.length) return undefined
  const simulator = new LaneSimulator(
    cameras.map(({ account, ...lane }) => ({
      ...lane,
      camera: new SimulatedCamera(account, requestTo(address)),
    })),
  )
  const server = await openLaneServer(simulator, dataDir)
  simulator.start(carEveryMs)
  log(`车道模拟器：${server.address}`)
  return {
    close: async () => {
      simulator.close()
      await server.close()
    },
  }
}

import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import { cameraMaker } from '../contract/choices.ts'
import { cameraPath } from './authenticate.ts'
import { encryptCameraKey, newCameraKey } from './camera-key.ts'
import { findCamera } from './camera-rows.ts'
import { wayOf } from './receive-reading.ts'
import type { CameraAccount } from './simulator/simulated-camera.ts'

export interface OpenedCamera {
  readonly account: CameraAccount
  readonly laneName: string
  readonly way: 'in' | 'out'
}

/** Gives cameras that are simulated a new key each; nothing else knows it. */
export async function openCameras(
  app: Pick<App, 'database' | 'dataDir' | 'clock'>,
  ownerId: Id,
  serials: readonly string[],
): Promise<OpenedCamera[]> {
  const reader = app.database.reader(ownerId)
  const opened: OpenedCamera[] = []
  for (const serialNo of serials) {
    const camera = await findCamera(reader, ownerId, serialNo)
    if (!camera) continue
    const key = newCameraKey()
    const bytes = await encryptCameraKey(app, ownerId, camera.id, key)
    await app.database.tx(ownerId, tx =>
      tx.execute(sql`
        update park_camera
        set run_key = ${bytes}, key_time = ${new Date(app.clock())}::timestamptz
        where owner_id = ${ownerId} and id = ${camera.id}
      `),
    )
    const maker = defined(keyOf(cameraMaker, camera.maker))
    opened.push({
      account: { path: cameraPath(maker, String(ownerId), serialNo), key },
      laneName: camera.cameraName,
      way: wayOf(camera),
    })
  }
  return opened
}

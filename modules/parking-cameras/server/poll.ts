import { labelOf, keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { openOrigin } from '#modules/parking-lanes/contract/choices.ts'
import {
  endLaneCommand,
  takeLaneCommands,
  type WaitingCommand,
} from '#modules/parking-lanes/server/public.ts'
import type { PollAnswer } from './adapters/adapter.ts'
import { RefusedRequest } from './authenticate.ts'
import { cameraScope, nonceStatement, seenStatement, type CameraRow } from './camera-rows.ts'
import { commandWaitOf } from './command-wait.ts'

/** How long a poll is kept open: a camera must wait longer for its answer. */
export const pollMs = 5000

const idle: PollAnswer = { commandIds: [], lines: [] }

function answerOf(commands: readonly WaitingCommand[]): PollAnswer {
  const [first] = commands
  if (!first) return idle
  const why = labelOf(openOrigin, defined(keyOf(openOrigin, first.origin)))
  return {
    commandIds: commands.map(({ id }) => id),
    lines: [first.plateNo, why].filter(line => line !== undefined),
  }
}

/** For the camera that has the barrier. */
async function take(app: App, tx: Tx, camera: CameraRow, ip: string): Promise<readonly WaitingCommand[]> {
  if (!camera.opensBarrier) return []
  return takeLaneCommands(tx, cameraScope(app, camera, ip), camera.laneId)
}

interface PollOptions {
  readonly nonce: string | undefined
  readonly ip: string
  /** Milliseconds to wait for a command. */
  readonly waitMs?: number
}

/** A camera is there, and hears within a second what its lane is asked to do. */
export async function receivePoll(
  app: App,
  camera: CameraRow,
  { nonce, ip, waitMs = pollMs }: PollOptions,
): Promise<PollAnswer> {
  const now = new Date(app.clock())
  const atOnce = await app.database.tx(camera.ownerId, async tx => {
    const [nonces] = await tx.all<[{ cameraId: Id }, unknown]>(
      nonce === undefined ? sql`select 1 as camera_id` : nonceStatement(camera, nonce, now),
      seenStatement(camera, now),
    )
    if (!nonces.length) throw new RefusedRequest(409, '请求已经收到过，请使用新的 nonce 重新签名')
    return take(app, tx, camera, ip)
  })
  if (atOnce.length || !camera.opensBarrier || waitMs === 0) return answerOf(atOnce)
  const hasCommand = await commandWaitOf(app).wait(camera.ownerId, camera.laneId, waitMs)
  if (!hasCommand) return idle
  return answerOf(await app.database.tx(camera.ownerId, tx => take(app, tx, camera, ip)))
}

export interface CommandResult {
  readonly commandId: Id
  readonly isDone: boolean
  readonly result: string
}

/** What became of a command of the camera's own lane. */
export async function receiveResult(
  app: App,
  camera: CameraRow,
  { commandId, isDone, result }: CommandResult,
  { nonce, ip }: Pick<PollOptions, 'nonce' | 'ip'>,
): Promise<void> {
  await app.database.tx(camera.ownerId, async tx => {
    const now = new Date(app.clock())
    const nonces = nonce === undefined ? [1] : await tx.rows(nonceStatement(camera, nonce, now))
    if (!nonces.length) throw new RefusedRequest(409, '请求已经收到过，请使用新的 nonce 重新签名')
    await endLaneCommand(
      tx,
      cameraScope(app, camera, ip),
      { id: commandId, laneId: camera.laneId },
      {
        isDone,
        result,
      },
    )
  })
}

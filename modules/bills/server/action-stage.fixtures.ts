import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Call } from '#kit/contract/call.ts'
import { type SeededRoom } from './generate.fixtures.ts'

/**
 * A room of its own: charged 100.00 a month since September, three bills made, money in its account; with a
 * meter, a reading and the bill of the reading where the status needs them.
 */
export interface Scene {
  readonly room: SeededRoom
  readonly relation: Id
  readonly bills: readonly Id[]
  readonly bill: Id
  readonly batch: Id
  readonly meter?: Id
  readonly reading?: Id
  record?: Id
  detail?: number
}

export type SceneStatus = 'open' | 'abolished' | 'off' | 'split' | 'paid' | 'stopped' | 'metered' | 'waiting'
export type ActionStep = readonly [Call, object] | (() => Promise<unknown>)

export interface ActionCase {
  readonly from: SceneStatus
  readonly run: (s: Scene) => ActionStep
}

/** `batch`: made by a run of its own; `hasPrestore`: with 150.00 in its prestore account. */
export interface SceneOptions {
  readonly status: SceneStatus
  readonly batch?: boolean
  readonly hasPrestore?: boolean
}

export interface Stage {
  readonly actions: Readonly<Record<string, ActionCase>>
  readonly scenes: (of: readonly SceneOptions[]) => Promise<Scene[]>
  readonly project: string
  readonly run: (v: ActionCase, s: Scene) => Promise<unknown>
  /** The answer as it is sent. */
  readonly askRaw: (v: ActionCase, s: Scene, uuid: string) => Promise<string>
  /** All stored money of a room, without numbers and times. */
  readonly snapshot: (s: Scene) => Promise<string>
}

/** Three scenes of one kind in a row: those that one case needs. */
export const takeThree = (scenes: readonly Scene[], from: number): readonly [Scene, Scene, Scene] => [
  defined(scenes[from]),
  defined(scenes[from + 1]),
  defined(scenes[from + 2]),
]

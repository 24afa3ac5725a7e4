import type { CameraMaker } from '../../contract/choices.ts'
import type { CameraAdapter } from './adapter.ts'
import { vzenith } from './vzenith.ts'

/** A new maker is a choice, a file beside these, and a line here. */
export const adapters: Readonly<Record<CameraMaker, CameraAdapter>> = { vzenith }

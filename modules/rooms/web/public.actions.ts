import { createExtensionPoint } from '#kit/web/extension-point.ts'

// The light half of the public part: what costs the start of another module nothing.

/** Tells, once a change of a room is saved, what no longer fits it; provided by those who charge rooms. */
type RoomChangeNotice = (room: {
  readonly projectCode: string
  readonly code: string
  readonly path: string
}) => Promise<void>

export const roomChangeNotices = createExtensionPoint<RoomChangeNotice>()

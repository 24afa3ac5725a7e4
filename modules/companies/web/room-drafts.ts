import type { CompanyRoomDraft } from '../contract/company.ts'

/** A room on the form knows what it is called; only its draft is sent. */
export type RoomRow = Partial<CompanyRoomDraft> & { readonly roomCode?: string; readonly roomPath?: string }

/** What the control of the rooms holds. */
export const roomRowsOf = (value: unknown): readonly RoomRow[] =>
  Array.isArray(value) ? value.map((row: RoomRow) => row) : []

/** What is sent of the rooms of a form; a room or a day that is missing is refused there. */
export const toRoomDrafts = (rows: readonly RoomRow[] | undefined): CompanyRoomDraft[] =>
  (rows ?? []).map(({ roomCode: _, roomPath: __, roomId = 0, beginDate = '', ...rest }) => ({
    ...rest,
    roomId,
    beginDate,
  }))

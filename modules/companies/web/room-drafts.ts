import type { CompanyRoomDraft } from '../contract/company.ts'

/** A room on the form knows what it is called; only its draft is sent. */
export type RoomRow = Partial<CompanyRoomDraft> & { readonly roomCode?: string; readonly roomPath?: string }

/** What the control of the rooms holds. */
export const roomRowsOf = (value: unknown): readonly RoomRow[] =>
  Array.isArray(value) ? value.map((row: RoomRow) => row) : []

/** What is sent of the rooms of a form. */
export const toRoomDrafts = (rows: readonly RoomRow[] | undefined): CompanyRoomDraft[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form has checked what is required
  (rows ?? []).map(({ roomCode: _, roomPath: __, ...draft }) => draft as CompanyRoomDraft)
